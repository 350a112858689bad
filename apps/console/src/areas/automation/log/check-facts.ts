import type { Timer } from '@linewarden/contract'
import { civilZone, parseDate } from '@linewarden/rules/automation'
import i18next from 'i18next'
import { serverNow } from '../../../ui/use-now.ts'
import { civilDate } from '../parts/civil-text.ts'
import { periodText, pointText } from '../parts/period-text.ts'
import { lateText } from './run-reasons.ts'
import type { Check, WhyAnswer } from './why-chain.ts'

/** The fact that a check is answered by, in words; empty: it needs none. */
export function checkFact(check: Check, timer: Timer, { Date: date, Class, ClassName, Runs }: WhyAnswer): string {
  const { Period, Exceptions, Points, Version, Enabled } = timer
  const [run] = Runs
  switch (check) {
    case 'enabled':
      return i18next.t(Enabled ? 'runLog:why.factOf.enabled' : 'runLog:why.factOf.disabled', { version: Version })
    case 'dates':
      return Period.FromDate || Period.ToDate
        ? `${Period.FromDate ?? '…'} – ${Period.ToDate ?? '…'}`
        : i18next.t('runLog:why.factOf.always')
    case 'exception': {
      const own = Exceptions.find(({ FromDate, ToDate }) => FromDate <= date && date <= ToDate)
      if (own) return own.FromDate === own.ToDate ? own.FromDate : `${own.FromDate} – ${own.ToDate}`
      return i18next.t('runLog:why.factOf.exceptions', { count: Exceptions.length })
    }
    case 'period': {
      const day = parseDate(date)
      const kind = [i18next.t(`automation:classes.${Class}`), ...(ClassName ? [ClassName] : [])].join(' · ')
      return i18next.t('runLog:why.factOf.period', {
        date: day === null ? date : civilDate(day, civilZone(timer.TimeZone).dayAt(serverNow())),
        kind,
        period: periodText(timer),
      })
    }
    case 'point':
      return i18next.t('runLog:why.factOf.points', { points: Points.map(pointText).join(i18next.t('automation:nameBetween')) })
    case 'claimed':
      return run?.DueAt ? i18next.t('runLog:lateBy', { time: lateText(run.ClaimedAt - run.DueAt) }) : ''
    default:
      return ''
  }
}
