import { CallError } from '@linewarden/client'
import { specifiedMessages } from '@linewarden/contract'
import { toast } from '../notify/toasts.tsx'
import { messageOf } from './api.ts'

/**
 * Makes a call somebody asked for. A refusal (Code 0) is said for two seconds and resolves false; so does a request that failed on its
 * way, said as an error (specification section 8). A poll that nobody asked for may be made so, too: the contract says that it is silent.
 */
export async function callWithToast<T>(call: Promise<T>): Promise<{ readonly reply: T } | false> {
  try {
    return { reply: await call }
  } catch (error) {
    // A session that is over has been told already, once for all that was under way.
    if (error instanceof CallError && error.endsSession) return false
    if (error instanceof CallError && error.silent) return false
    toast(isRefusal(error) ? 'refusal' : 'error', messageOf(error))
    return false
  }
}

/** Said by Code 0 alone, or with a status beside it by a message of the specification's own catalogue: no HTTP error to a person. */
const isRefusal = (error: unknown): boolean =>
  error instanceof CallError &&
  error.refused &&
  ((error.problem.kind === 'refusal' && error.problem.status === 200) || Object.hasOwn(specifiedMessages, error.message))
