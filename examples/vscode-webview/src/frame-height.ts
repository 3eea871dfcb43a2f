/** What a page in a frame says of itself. */
interface HeightMessage {
  readonly sitrepHeight: number;
}

/** In the frame: tells the page around it how high the content is, whenever that changes. It is no secret, so anybody may hear it. */
export function tellHeight(): void {
  const tell = (): void => {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    parent.postMessage({ sitrepHeight: height } satisfies HeightMessage, '*');
  };
  new ResizeObserver(tell).observe(document.body);
}

/**
 * Around the frame: gives it the height it tells, within bounds. A sandboxed frame has no origin to go by, so what counts is
 * which window it is.
 */
export function fitHeight(frame: HTMLIFrameElement, most = 2_000): () => void {
  const hear = ({ source, data }: MessageEvent<Partial<HeightMessage> | null>): void => {
    const height = data?.sitrepHeight;
    if (source !== frame.contentWindow || typeof height !== 'number' || !(height >= 0)) return;
    frame.style.height = `${Math.min(height, most)}px`;
  };
  addEventListener('message', hear);
  return () => removeEventListener('message', hear);
}
