/** The gateway that keeps progress durable and streams it. Stores are at `/memory` and `/sqlite`. */
export { createGateway, Gateway } from './gateway/create-gateway.ts';
export { GatewayError } from './gateway/gateway-error.ts';
export { DEFAULT_PORT } from './http/listen.ts';
export type { Listening } from './gateway/create-gateway.ts';
export type { CloseOptions } from './gateway/gateway.ts';
export type { GatewayOptions } from './gateway/options.ts';
export type { Published, PublishOptions } from './gateway/publish.ts';
export type { EventResult } from './gateway/prepare.ts';
export type { DialectName } from './gateway/dialects.ts';
export type { GatewayErrorCode } from './gateway/gateway-error.ts';
export type { Clock } from './gateway/clock.ts';
export type { GatewayApp, GatewayEnv } from './http/types.ts';
export type { ListenOptions } from './http/listen.ts';
export type { ErrorBody } from './http/error-body.ts';
