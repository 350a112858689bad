import type { LoadAbout } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { grouped, percentText } from './figures.ts'
import { kwDigits, kwText, quarterTime } from './load-figures.ts'

const quartersOfHour = 4

/** What a load comes to; `from`: where the period begins, Unix ms. */
export function LoadStrip({ about, from }: { about: LoadAbout; from: number }) {
  const { t } = useTranslation(['loads', 'energy'])
  const digits = kwDigits(about.Max)
  const kw = (value: number | null) => kwText(value, digits)
  return (
    <section className="strip">
      <Figure label={t('max')} value={kw(about.Max)} unit="kW" hint={maxHint()} />
      <Figure
        label={t('mean')}
        value={kw(about.Mean)}
        unit="kW"
        hint={t('meanHint', { hours: grouped(about.Quarters / quartersOfHour, 2) })}
      />
      <Figure
        label={t('factor')}
        value={about.LoadFactor === null ? '–' : (about.LoadFactor * 100).toFixed(1)}
        unit="%"
        hint={t('factorHint')}
      />
      <Figure
        label={t('fullHours')}
        value={about.FullLoadHours === null ? '–' : grouped(about.FullLoadHours, 1)}
        unit="h"
        hint={t('fullHoursHint')}
      />
      <Figure
        label={t('base')}
        value={kw(about.Base)}
        unit="kW"
        hint={t(about.Base === null ? 'baseTooFew' : 'baseHint', { count: about.BaseQuarters })}
      />
      <Figure
        label={t('difference')}
        value={kw(about.PeakValleyDifference)}
        unit="kW"
        hint={t('differenceHint', { min: kw(about.Min) })}
      />
      <Figure
        label={t('known')}
        value={about.Complete === null ? '–' : percentText(about.Complete)}
        hint={
          about.Complete === null
            ? null
            : about.LeftOut.Missing > 0
              ? t('knownHint', { count: about.LeftOut.Missing })
              : t('allKnown')
        }
        more={
          about.Since !== null && about.Since > from
            ? t('energy:begun', { since: quarterTime(about.Zone, about.Since).text })
            : null
        }
      />
    </section>
  )

  function maxHint(): string | null {
    if (about.MaxAt === null) return null
    const { text, pass } = quarterTime(about.Zone, about.MaxAt)
    const time = pass === null ? text : text + t(`energy:${pass}`)
    return about.MaxHow === 'estimated' ? t('estimatedMax', { time }) : time
  }
}

function Figure(props: { label: string; value: string; unit?: string; hint: string | null; more?: string | null }) {
  const { label, value, unit, hint, more = null } = props
  return (
    <div>
      <span className="mute">{label}</span>
      <b>
        {value} {unit && <span className="state">{unit}</span>}
      </b>
      {hint !== null && <span className="state">{hint}</span>}
      {more !== null && <span className="state">{more}</span>}
    </div>
  )
}

/** What does not count, and by what days are told apart where nobody entered the holidays. */
export function LoadNotes({ about: { LeftOut, Estimated, WeekdayYears } }: { about: LoadAbout }) {
  const { t } = useTranslation('loads')
  const { Spread, Entered, Missing } = LeftOut
  const parts = [
    ...(Spread > 0 ? [t('leftOutSpread', { count: Spread })] : []),
    ...(Entered > 0 ? [t('leftOutEntered', { count: Entered })] : []),
    ...(Missing > 0 ? [t('leftOutMissing', { count: Missing })] : []),
  ]
  const notes = [
    ...(parts.length > 0 ? [t('leftOut', { parts: parts.join(t('comma')) })] : []),
    ...(Estimated > 0 ? [t('estimated', { count: Estimated })] : []),
    ...(WeekdayYears.length > 0 ? [t('weekdayYears', { years: WeekdayYears.join(t('comma')) })] : []),
  ]
  if (notes.length === 0) return null
  return (
    <ul className="load-notes">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  )
}
