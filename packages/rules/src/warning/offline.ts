import { hourMs, minuteMs } from '@linewarden/equipment'
import type { Link } from '../alarm/link.ts'
import { isAway, stalePeriods } from '../alarm/link.ts'
import type { Params } from './detector.ts'
import { detector, parameter } from './detector.ts'
import { evidence } from './finding.ts'
import type { LiveChange } from './live-change.ts'

/** Equipment that has not been heard for hours watches nothing. */
export const offline = detector({
  key: 'offline',
  label: { zh: '离线', en: 'Offline' },
  priority: 'low',
  looks: 1,
  parameters: {
    hours: parameter('离线时长', 'Away for', 'h', [1, 6, 168], 'specification 9: 6 h'),
  },
})
type OfflineParams = Params<typeof offline>

const returnMs = 5 * minuteMs

/** What is kept of a gateway or device, Unix ms; null: it is not so. */
export interface OfflineState {
  awaySince: number | null
  onlineSince: number | null
  active: boolean
}

export const newOfflineState = (): OfflineState => ({ awaySince: null, onlineSince: null, active: false })

/**
 * Folds how a link is found at a moment, at each of its changes and now and then between them. What was never online is still being set
 * up. Equipment that reports seldom is given three of its periods.
 */
export function foldOffline(
  params: OfflineParams,
  state: OfflineState,
  { at, link, periodMs }: { readonly at: number; readonly link: Link; readonly periodMs: number },
): LiveChange | null {
  if (link === 'never') return null
  if (isAway(link)) {
    state.onlineSince = null
    state.awaySince ??= at
    const awayMs = at - state.awaySince
    const limitMs = Math.max(params.hours * hourMs, stalePeriods * periodMs)
    if (state.active || awayMs < limitMs) return null
    state.active = true
    const shown = evidence({ value: awayMs / hourMs, limit: limitMs / hourMs, unit: 'h', used: 1 })
    return { kind: 'raised', finding: { key: offline.key, point: null, level: 'notice', evidence: shown } }
  }
  state.awaySince = null
  state.onlineSince ??= at
  if (!state.active || at - state.onlineSince < returnMs) return null
  state.active = false
  return { kind: 'returned', key: offline.key, point: null }
}
