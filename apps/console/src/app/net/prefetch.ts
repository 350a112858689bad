import type { Reply } from '@linewarden/contract'
import { tree, userInfo } from '@linewarden/contract'
import { hasTree } from '../../paths.ts'
import { useSession } from '../session/session.ts'
import { api } from './api.ts'

type User = Reply<typeof userInfo>
type Tree = Reply<typeof tree>

/** What was prefetched is used by the first page within this time, or not at all. */
const takenWithinMs = 10_000
/** Without knowing who is signed in nothing is shown: a dead network is not waited for, it is asked again. */
const whoAnswerMs = 15_000

let asked: {
  readonly atMs: number
  readonly token: string
  user: Promise<User> | null
  projects: Promise<Tree | null> | null
} | null = null

/** A session is kept on this device: what every page begins with is asked for while the page itself is still under way. */
export function prefetch(): void {
  const { token, user: known } = useSession.getState()
  if (token === '' || known !== null) return
  const user = askUser()
  const { pathname } = location
  const projects = pathname === '/' || hasTree(pathname) ? user.then(fetchProjectsOf) : null
  // Who takes it hears of its failure; if nobody does, nobody asked.
  for (const each of [user, projects]) each?.catch(() => undefined)
  asked = { atMs: performance.now(), token, user, projects }
}

/** Who is signed in. */
export const fetchUser = async (): Promise<User> => (await take('user')) ?? askUser()

const askUser = () => api.call(userInfo, {}, { timeoutMs: whoAnswerMs })

/** Groups and projects with their counts. */
export const fetchTree = async (): Promise<Tree> => (await take('projects')) ?? fetchProjects()

/** Who must change the password or set up a second factor first is refused everything else until then. */
export const hasPrerequisite = ({ MustChangePassword, SecondFactor }: User): boolean =>
  MustChangePassword || SecondFactor === 'required'

const fetchProjectsOf = (user: User) => (hasPrerequisite(user) ? null : fetchProjects())

const fetchProjects = () => api.call(tree, { query: { Depth: 'projects' } })

/** Once, soon, and for whom it was asked: else it is asked anew. */
function take<K extends 'user' | 'projects'>(what: K): NonNullable<typeof asked>[K] {
  const reply = asked?.[what] ?? null
  if (!asked || reply === null) return null
  const isGood = asked.token === useSession.getState().token && performance.now() - asked.atMs < takenWithinMs
  asked[what] = null
  return isGood ? reply : null
}
