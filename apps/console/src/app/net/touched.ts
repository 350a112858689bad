import type { Call, Resource } from '@linewarden/contract'

type Reread = (touched: readonly Resource[]) => Promise<void>

let reread: Reread = async () => {}

/** Who keeps what was fetched reads again what a call has touched; the login page keeps nothing. */
export function onTouched(listener: Reread): void {
  reread = listener
}

/** A call has ended, however it did: the answer alone may be lost, and who was refused may have acted on what was out of date. */
export const touched = async ({ touches = [] }: Pick<Call, 'touches'>): Promise<void> => {
  if (touches.length > 0) await reread(touches)
}
