import type { linkageLog, Reply, Request } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import type { RunState } from '@linewarden/rules/automation'
import type { Selection } from '../../../plant/equipment.ts'
import { placeFilter } from '../../../plant/place-filter.ts'
import type { ListState } from '../../../ui/list-state.ts'
import { daysOf } from '../parts/day-filter.tsx'

export const filterNames = ['q', 'linkage', 'which', 'why', 'days', 'run'] as const

export type LogAbout = Reply<typeof linkageLog>['about']
type Filter = Omit<Request<typeof linkageLog>['body'], 'Page' | 'Size'>

/** What one press asks for. `ran`: whatever ran, also in shadow mode; `both`: that and what nearly did, in one course of time. */
export const logChoices = ['ran', 'done', 'amiss', 'shadow', 'near', 'both'] as const
export type LogChoice = (typeof logChoices)[number]

const done: readonly RunState[] = ['done', 'running', 'merged']
const amiss: readonly RunState[] = ['partly', 'refused', 'missed', 'skipped', 'stopped']

const asked: Readonly<Record<LogChoice, Filter>> = {
  ran: {},
  done: { States: [...done] },
  amiss: { States: [...amiss], Shadow: false },
  shadow: { Shadow: true },
  near: { Near: true, Ran: false },
  both: { Near: true },
}

/** How many entries a press would show. */
export function countOf({ States, Shadow, Near }: LogAbout, choice: LogChoice): number {
  const of = (states: readonly RunState[] | null) =>
    States.reduce((sum, { State, Count }) => sum + (states === null || states.includes(State) ? Count : 0), 0)
  const near = Near.reduce((sum, { Count }) => sum + Count, 0)
  const ran = of(null) + Shadow
  return { ran, done: of(done), amiss: of(amiss), shadow: Shadow, near, both: ran + near }[choice]
}

/** What the address asks for; what it says and is no filter is left out. `now` to the minute: a question that is new each second is asked each second. */
export function logFilter(list: Pick<ListState, 'filter'>, selection: Selection, text: string, now: number) {
  const run = /^[0-9a-f-]{36}$/.exec(list.filter('run'))?.[0] ?? null
  const only = /^[0-9]{1,9}$/.exec(list.filter('linkage'))?.[0]
  const days = daysOf(list)
  const choice = logChoices.find((each) => each === list.filter('which')) ?? 'ran'
  const why = /^[a-zA-Z]{1,32}$/.exec(list.filter('why'))?.[0]
  const words = text.trim().slice(0, 64)
  const place = placeFilter(selection)
  const linkage = { ...(only && { LinkageID: Number(only) }), ...(words !== '' && { Name: words }) }
  const body: Filter =
    run !== null
      ? // A run that a link names is shown whenever it was.
        { RunID: run }
      : { From: now - days * dayMs, ...place, ...linkage, ...asked[choice], ...(choice === 'near' && why && { Why: why }) }
  return { body, days, choice, run }
}
