import { afterEndMs } from './fold-incidents.ts'
import type { Incident } from './incident.ts'
import type { AlarmState } from './lifecycle.ts'
import { activeAlarmStates } from './lifecycle.ts'

/** Whether an incident folds nothing any more: its root went, and so did the time that what it brought about is given to return. */
export const isIncidentOver = ({ endedAt }: Pick<Incident, 'endedAt'>, now: number): boolean =>
  endedAt !== null && now >= endedAt + afterEndMs

/**
 * Whether a folded event stands alone once its incident is over: where it is still there, or where its root needs nobody any more and so is
 * not shown among what does.
 */
export const standsAlone = (state: AlarmState, rootState: AlarmState | null): boolean =>
  activeAlarmStates.includes(state) || (state !== 'normal' && (rootState === null || rootState === 'normal'))
