import { dayMs } from '@linewarden/equipment'
import type { CivilDay } from '@linewarden/rules/automation'
import type { EnergyUnit } from '@linewarden/rules/energy'
import { comparisons, energyUnits } from '@linewarden/rules/energy'
import type { ReactNode } from 'react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { FilterSelect, Segments } from '../../ui/fields.tsx'
import { Icon } from '../../ui/icon.tsx'
import { MomentChoice } from '../../ui/moment-field.tsx'
import type { EnergyAddress } from './period.ts'
import { periodName, periodOf, stepped } from './period.ts'

export type Go = (to: Partial<EnergyAddress>) => void

/** Units that are offered, and what they are called together. */
interface Units {
  readonly label: string
  readonly options: readonly { readonly value: EnergyUnit; readonly label: string }[]
}

/** What each bar is, of all units; `t` of the namespace `energy`. */
export const unitsNamed = (t: (key: EnergyUnit | 'units') => string): Units => ({
  label: t('units'),
  options: energyUnits.map((value) => ({ value, label: t(value) })),
})

/** Unit, period and, where something can be compared, comparison, as the address holds them; before them what else is chosen. */
export function PeriodTools(props: {
  address: EnergyAddress
  today: CivilDay
  units: Units
  isCompared?: boolean
  go: Go
  children?: ReactNode
  /** What is done with what is shown, after all of them. */
  acts?: ReactNode
}) {
  const { address, today, units, isCompared = false, go, children, acts } = props
  const { t } = useTranslation('energy')
  return (
    <div className="energy-tools">
      {children}
      <Segments label={units.label} value={address.unit} options={units.options} onChange={(unit) => go({ unit })} />
      <Stepper address={address} today={today} go={go} />
      {isCompared && (
        <FilterSelect
          label={t('compare')}
          value={address.compare ?? ''}
          options={comparisons.map((each) => ({ value: each, label: t(each) }))}
          onChange={(to) => go({ compare: comparisons.find((each) => each === to) ?? null })}
        />
      )}
      {acts}
    </div>
  )
}

/** From period to period; a single day is chosen from a calendar, too. */
function Stepper({ address, today, go }: { address: EnergyAddress; today: number; go: Go }) {
  const { t } = useTranslation('energy')
  const period = periodOf(address)
  const isLast = period.end > today
  const place = useId()
  return (
    <span className="energy-stepper" role="group" aria-label={t('period')}>
      <button type="button" className="btn quiet" aria-label={t('earlier')} onClick={() => go({ day: stepped(address, -1) })}>
        <Icon name="left" />
      </button>
      <span id={place}>
        {address.unit === 'hour' ? (
          <MomentChoice
            kind="day"
            label={t('date')}
            at={address.day * dayMs}
            onChoose={(at) => at !== null && go({ day: at / dayMs })}
          />
        ) : (
          <b>{periodName(address.unit, period)}</b>
        )}
      </span>
      <button
        type="button"
        className="btn quiet"
        aria-label={t('later')}
        aria-describedby={place}
        disabled={isLast}
        onClick={() => go({ day: stepped(address, 1) })}
      >
        <Icon name="right" />
      </button>
    </span>
  )
}
