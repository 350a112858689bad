import type { Client } from '@linewarden/client'
import { CallError } from '@linewarden/client'
import type { LoginReply } from '@linewarden/contract'
import { resume } from '@linewarden/contract'
import type { Static } from 'typebox'

const key = 'linewarden.remembered'

/** Keeps the handle by which this device signs in again; the server knows it by a hash, and takes it once. */
export const remember = (handle: string | undefined): void => {
  if (handle === undefined) localStorage.removeItem(key)
  else localStorage.setItem(key, handle)
}

export const isRemembered = (): boolean => localStorage.getItem(key) !== null

/**
 * Signs in by the kept handle. It is taken out before it is used, so that no second tab uses it too: the server would take that for a theft.
 * Null: another tab has it. Throws what the server says.
 */
export async function takeUp(client: Client): Promise<Static<typeof LoginReply> | null> {
  const handle = await alone(() => {
    const kept = localStorage.getItem(key)
    localStorage.removeItem(key)
    return kept
  })
  if (handle === null) return null
  try {
    const reply = await client.call(resume, { body: { Handle: handle } })
    remember(reply.Handle)
    return reply
  } catch (error) {
    // Only the server's own word ends it: one that failed, was not reached or refused the call for anything else has not used it.
    const isOver = error instanceof CallError && error.message === 'remembered sign-in over'
    // Another tab may have put the next one there meanwhile.
    if (!isOver && !isRemembered()) remember(handle)
    throw error
  }
}

/** Only a page by HTTPS or on this machine has locks; elsewhere the server bears with two tabs. */
const alone = async (take: () => string | null): Promise<string | null> =>
  'locks' in navigator ? navigator.locks.request(key, take) : take()
