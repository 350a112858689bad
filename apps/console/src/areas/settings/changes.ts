import type { SettingChange, TargetResult } from '@linewarden/contract'
import { lineDetails } from '@linewarden/contract'
import { create } from 'zustand'
import { keyOf } from '../../app/net/keys.ts'
import { refreshSoon } from '../../app/net/refresh-soon.ts'
import { onSessionChange } from '../../app/session/session.ts'

/** What was sent last, target by target, and how far each is. */
interface Sent {
  readonly results: readonly TargetResult[]
}

export const useSent = create<Sent>(() => ({ results: [] }))

onSessionChange(() => useSent.setState({ results: [] }))

/** Changes that came before the answer of the call that ordered them. */
const early = new Map<string, SettingChange>()
const maxEarly = 2_000
/** A batch brings hundreds of steps in a moment: one fetch for all of them. */
const settleMs = 300

/** A step of a change, live: into the results on the page; forms, lists and an open line's limits are fetched anew a moment later. */
export function applyChange(change: SettingChange): void {
  early.delete(change.CommandID)
  early.set(change.CommandID, change)
  for (const oldest of early.keys()) {
    if (early.size <= maxEarly) break
    early.delete(oldest)
  }
  const { results } = useSent.getState()
  if (results.some(({ Change }) => Change?.CommandID === change.CommandID))
    useSent.setState({ results: results.map((each) => withNewest(each)) })
  refreshSoon({ shows: ['settings'] }, settleMs, 0)
  const { ControllerID, LineNo } = change
  if (ControllerID !== null && LineNo !== null) refreshSoon(keyOf(lineDetails, { params: { ControllerID, LineNo } }), settleMs)
}

/** Shows these results; what became of them meanwhile is in them. */
export function showResults(results: readonly TargetResult[]): void {
  useSent.setState({ results: results.map(withNewest) })
  refreshSoon({ shows: ['settings'] }, settleMs, 0)
}

/** One order's answer as a result. */
export const resultOf = (change: SettingChange): TargetResult => ({
  ControllerID: change.ControllerID ?? '',
  LineNo: change.LineNo ?? 0,
  Change: change,
  Refused: null,
})

const withNewest = (result: TargetResult): TargetResult => {
  const newest = result.Change && early.get(result.Change.CommandID)
  return newest ? { ...result, Change: newest } : result
}
