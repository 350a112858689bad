import { join } from 'node:path'
import type { Rolldown } from 'vite'

type Groups = NonNullable<Extract<Rolldown.OutputOptions['codeSplitting'], object>['groups']>

const source = join(import.meta.dirname, '../src')
/** Drawn before anybody is signed in. */
const door = [join(source, 'main.tsx'), join(source, 'areas/account/login-page.tsx')]
/** Drawn around every page behind the login. */
const frame = [join(source, 'frame/guard.tsx'), join(source, 'frame/shell.tsx')]

/**
 * How modules that several pages share are put into files. Left alone each becomes a file of its own, and the first page asks for sixty of
 * them, six at a time. So what the frame of every page needs is one file. It needs nothing of the pages' own: files never wait for one another
 * in a circle. What the login needs is kept out of it, because that is the first thing anybody waits for.
 */
export function rooms(): Groups {
  let beforeLogin: ReadonlySet<string> | null = null
  let behindLogin: ReadonlySet<string> | null = null
  return [
    {
      debugName: 'house',
      name(id, context) {
        beforeLogin ??= reachable(door, context)
        behindLogin ??= reachable(frame, context)
        return behindLogin.has(id) && !beforeLogin.has(id) && !frame.includes(id) ? 'house' : null
      },
      includeDependenciesRecursively: false,
    },
  ]
}

/** All that some modules import, directly or not; what they load on demand is not among it. */
function reachable(from: readonly string[], context: Rolldown.ChunkingContext): ReadonlySet<string> {
  const found = new Set(from)
  for (const id of found) for (const each of context.getModuleInfo(id)?.importedIds ?? []) found.add(each)
  return found
}
