import type { Client } from '@linewarden/client'
import type { Call, Request } from '@linewarden/contract'
import { send } from './api.ts'
import { thenRead } from './read-again.ts'
import { touched } from './touched.ts'

/** Makes a call, and counts it as done when what it touches has been read again. */
export const change: Client['call'] = (...made) =>
  thenRead(
    () => send(...made),
    () => touched(made[0]),
  )

/**
 * Makes a call for each of several things, one after the other; what it touches is read again once, after the last.
 *
 * @returns what failed, each with why, in the order of the things
 */
export async function changeEach<const C extends Call, T>(
  target: C,
  things: readonly T[],
  requestOf: (thing: T) => Request<C> | Promise<Request<C>>,
): Promise<readonly { readonly thing: T; readonly error: unknown }[]> {
  const sendOne = send as (target: C, request: Request<C>) => Promise<unknown>
  const failed: { readonly thing: T; readonly error: unknown }[] = []
  for (const thing of things) {
    try {
      await sendOne(target, await requestOf(thing))
    } catch (error) {
      failed.push({ thing, error })
    }
  }
  await touched(target)
  return failed
}
