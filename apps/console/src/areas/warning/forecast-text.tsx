import type { Warning } from '@linewarden/contract'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { withUnit } from './amount.ts'
import { forecastOf } from './forecast.ts'

/** When a finding reaches its limit, in words: the time, and below it to which limit or why there is none. */
export function forecastText(t: TFunction<'warning'>, warning: Warning): { readonly when: string; readonly about: string } {
  const forecast = forecastOf(warning)
  const { Evidence } = warning
  const limit = withUnit(Evidence.NextLimit ?? Evidence.Limit, Evidence.Unit)
  switch (forecast.kind) {
    case 'past':
      return { when: t('past'), about: t('pastLimit', { limit }) }
    case 'interval': {
      const { lo, hi, unit, confidence } = forecast
      return {
        when: `${t(`interval.${unit}`, { lo, hi })} · ${t(`confidence.${confidence}`)}`,
        about: t('untilLimit', { limit }),
      }
    }
    case 'tooEarly':
      return { when: t('rises'), about: t('afterTenDays') }
    case 'tooWide':
      return { when: t('rises'), about: t('tooWide') }
    case 'notRising':
      return { when: t('notRising'), about: t('belowLimit', { limit }) }
    case 'none':
      return { when: t('notExtrapolated'), about: '' }
  }
}

export function ForecastText({ warning }: { warning: Warning }) {
  const { t } = useTranslation('warning')
  const { when, about } = forecastText(t, warning)
  return (
    <span className="two-lines">
      <span>{when}</span>
      <small>{about}</small>
    </span>
  )
}
