import type { LineOverride } from '@linewarden/contract'
import i18next from 'i18next'
import { projectMoment } from './project-moment.ts'

/** What a person has the timers of a line do, until when, on the clock of its project. */
export function overrideText({ Kind, Until }: Pick<LineOverride, 'Kind' | 'Until'>, timeZone: string): string {
  if (Kind === 'stay' || Until === null) return i18next.t('timedLines:staysOpen')
  return i18next.t(Kind === 'until' ? 'timedLines:timersWait' : 'timedLines:timersGoOn', { when: projectMoment(Until, timeZone) })
}

/** The same of a line that no timer acts on. */
export const linkagesOverriddenText = ({ Until }: Pick<LineOverride, 'Until'>, timeZone: string): string =>
  Until === null
    ? i18next.t('timedLines:staysOpen')
    : i18next.t('timedLines:linkagesWait', { when: projectMoment(Until, timeZone) })

/** Who that is, and since when. */
export const overriddenBy = ({ By, Since }: Pick<LineOverride, 'By' | 'Since'>, timeZone: string): string =>
  i18next.t('timedLines:overriddenBy', { name: By ?? i18next.t('timedLines:byHand'), since: projectMoment(Since ?? 0, timeZone) })
