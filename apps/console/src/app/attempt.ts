import { CallError } from '@linewarden/client'
import { messageOf } from './api.ts'
import { toast } from './toasts.tsx'

/**
 * Makes a call somebody asked for. A refusal (Code 0) is said for two seconds and resolves false; so does a request that failed on its
 * way, said as an error (specification section 8). A poll that nobody asked for may be made so, too: the contract says that it is silent.
 */
export async function attempt<T>(call: Promise<T>): Promise<{ readonly reply: T } | false> {
  try {
    return { reply: await call }
  } catch (error) {
    // A session that is over has been told already, once for all that was under way.
    if (error instanceof CallError && 'status' in error.problem && error.problem.status === 401) return false
    const refused = error instanceof CallError && error.problem.kind === 'refusal' && error.problem.status === 200
    if (error instanceof CallError && error.silent) return false
    toast(refused ? 'refusal' : 'error', messageOf(error))
    return false
  }
}
