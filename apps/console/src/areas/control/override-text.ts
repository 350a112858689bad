import type { LineOverride } from '@linewarden/contract'
import i18next from 'i18next'
import { projectMoment } from '../../plant/project-moment.ts'

/** What a person keeps from a line, until when, on the clock of its project. `timed`: timers act on it; else linkages and scenes alone close it. */
export function overrideText({ Kind, Until }: Pick<LineOverride, 'Kind' | 'Until'>, timeZone: string, timed: boolean): string {
  if (Until === null) return i18next.t('timedLines:staysOpen')
  const when = projectMoment(Until, timeZone)
  if (!timed) return i18next.t('timedLines:linkagesWait', { when })
  return i18next.t(Kind === 'until' ? 'timedLines:timersWait' : 'timedLines:timersGoOn', { when })
}

/** Who that is, and since when. */
export const overriddenBy = ({ By, Since }: Pick<LineOverride, 'By' | 'Since'>, timeZone: string): string =>
  i18next.t('timedLines:overriddenBy', { name: By ?? i18next.t('timedLines:byHand'), since: projectMoment(Since ?? 0, timeZone) })
