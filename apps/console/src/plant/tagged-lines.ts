import type { Reply } from '@linewarden/contract'
import { taggedLines } from '@linewarden/contract'
import { useCallback, useSyncExternalStore } from 'react'
import { useLiveLink } from '../app/net/live-link.ts'
import { useCall } from '../app/net/use-call.ts'
import { useSession } from '../app/session/session.ts'
import type { LineRef } from './equipment.ts'
import { live, useLine } from './live-store.ts'
import { pollMs } from './queries.ts'
import type { TagCounts } from './tag-counts.ts'
import { tagsOn } from './tag-counts.ts'

type Answer = Reply<typeof taggedLines>
type Counts = TagCounts['counts']

/** Where it was asked in vain: until it is answered, nobody knows what is tagged. */
const askAgainMs = 30_000

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

/** What hangs is published live; where no socket opens it is asked for. */
function useTagged() {
  const enabled = useSession(({ user }) => user !== null)
  const polling = useLiveLink(({ link }) => link === 'closed')
  return useCall(
    taggedLines,
    {},
    {
      enabled,
      select: countsOf,
      refetchInterval: ({ state: { status } }) => (polling ? pollMs : status === 'error' ? askAgainMs : false),
    },
  )
}

const none: Counts = new Map()

/** How many lock-out tags are in force on each line, whether or not the page watches it. */
export function useTagCounts(): TagCounts {
  const { data, isSuccess } = useTagged()
  return { counts: data?.lines ?? none, known: isSuccess }
}

/** The same of projects: how many lines of each are tagged. */
export function useTaggedOfProjects(): TagCounts {
  const { data, isSuccess } = useTagged()
  return { counts: data?.houses ?? none, known: isSuccess }
}

/** Of one line; null: not known. */
export function useTagsOf(lineId: number): number | null {
  const { data, isSuccess, dataUpdatedAt } = useTagged()
  const state = useLine(lineId)
  const newer = state && live.receivedAt(lineId) > dataUpdatedAt ? state.Tags : 0
  return tagsOn({ counts: data?.lines ?? none, known: isSuccess }, lineId, newer)
}

const subscribe = (listener: () => void): (() => void) => live.subscribe(listener)

/** How many of these lines are tagged, as the live page has them; the component redraws when the number changes. */
export function useTaggedAmong(lines: readonly LineRef[]): number {
  const count = useCallback(() => lines.filter(({ line }) => (live.line(line.LineID)?.Tags ?? 0) > 0).length, [lines])
  return useSyncExternalStore(subscribe, count)
}
