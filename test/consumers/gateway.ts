// What an operator who embeds the gateway writes.
import { createGateway, type Gateway, type Listening } from '@sitrep/server';
import { createSqliteStore } from '@sitrep/server/sqlite';

const gateway: Gateway = createGateway({ store: createSqliteStore('sitrep.db') });
gateway.app.get('/', (context) => context.text('hello'));
const listening: Listening = await gateway.listen({ port: 0 });
await listening.close();
