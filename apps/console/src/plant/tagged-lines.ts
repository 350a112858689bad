import type { Reply, UserInfo } from '@linewarden/contract'
import { taggedLines } from '@linewarden/contract'
import { useMemo, useSyncExternalStore } from 'react'
import { useLiveLink } from '../app/net/live-link.ts'
import { useCall } from '../app/net/use-call.ts'
import { mayOpen } from '../app/session/permitted-pages.ts'
import { useSession } from '../app/session/session.ts'
import { paths } from '../paths.ts'
import type { LineRef } from './equipment.ts'
import { live, useLine } from './live-store.ts'
import { pollMs } from './queries.ts'

type Answer = Reply<typeof taggedLines>
type Counts = ReadonlyMap<number, number>

/** Whoever may open one of these may ask, as the call says. */
const pages = [
  ...[paths.realtime, paths.ledger, paths.history, paths.params, paths.selfTests, paths.warnings, paths.alarms, paths.workOrders],
  ...[paths.analysis, paths.timers, paths.timerLog, paths.scenes, paths.sceneLog, paths.linkages, paths.linkageLog],
]

/** Asked by every mark on a page, and the same as long as the account is. */
const permitted = new WeakMap<UserInfo, boolean>()

function mayAsk(user: UserInfo | null): boolean {
  if (!user) return false
  const known = permitted.get(user) ?? pages.some((page) => mayOpen(page, user))
  permitted.set(user, known)
  return known
}

/** One map of an answer, for all who ask. */
const kept = new WeakMap<Answer, { readonly lines: Counts; readonly houses: Counts }>()

function countsOf(answer: Answer) {
  const found = kept.get(answer)
  if (found) return found
  const houses = new Map<number, number>()
  for (const { HouseID } of answer.items) houses.set(HouseID, (houses.get(HouseID) ?? 0) + 1)
  const counts = { lines: new Map(answer.items.map(({ LineID, Tags }) => [LineID, Tags])), houses }
  kept.set(answer, counts)
  return counts
}

/** What hangs is told live; where no socket opens it is asked for. */
function useTagged() {
  const enabled = useSession(({ user }) => mayAsk(user))
  const polling = useLiveLink(({ link }) => link === 'closed')
  return useCall(taggedLines, {}, { enabled, select: countsOf, refetchInterval: polling ? pollMs : false }).data
}

const none: Counts = new Map()

/** By line how many lock-out tags are in force on it, whether or not the page watches it. Lines without any are left out. */
export const useTagCounts = (): Counts => useTagged()?.lines ?? none

/** By project how many of its lines are tagged. */
export const useTaggedOfProjects = (): Counts => useTagged()?.houses ?? none

/** Of one line; until the server has answered, what was last received live. */
export function useTagsOf(lineId: number): number {
  const lines = useTagged()?.lines
  const state = useLine(lineId)
  return lines ? (lines.get(lineId) ?? 0) : (state?.Tags ?? 0)
}

const subscribe = (listener: () => void): (() => void) => live.subscribe(listener)

/** How many of these lines are tagged, as the live page has them; the component redraws when the number changes. */
export function useTaggedAmong(lines: readonly LineRef[]): number {
  const count = useMemo(() => () => lines.filter(({ line }) => (live.line(line.LineID)?.Tags ?? 0) > 0).length, [lines])
  return useSyncExternalStore(subscribe, count)
}
