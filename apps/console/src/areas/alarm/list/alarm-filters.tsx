import { alarmKinds, priorities } from '@linewarden/equipment'
import { alarmStates } from '@linewarden/rules/alarm'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FilterSelect, SearchField } from '../../../ui/fields.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Mark } from '../../../ui/mark.tsx'
import { MomentChoice } from '../../../ui/moment-field.tsx'
import type { AlarmAddress, Range } from './address.ts'
import { isFiltered, ranges, withoutFilters } from './address.ts'
import { alarmChoices } from './alarm-names.ts'
import { ChoiceFilter } from './choice-filter.tsx'

/** A time as this machine's clock shows it, and back: the fields of time know no zone. */
const localOf = (at: number): number => at - new Date(at).getTimezoneOffset() * 60_000
function momentOf(local: number): number {
  const time = new Date(local)
  return new Date(
    time.getUTCFullYear(),
    time.getUTCMonth(),
    time.getUTCDate(),
    time.getUTCHours(),
    time.getUTCMinutes(),
  ).getTime()
}

/** By text, kind, priority, state, alarm, shelf and time; the place is the tree's. On a phone they unfold. */
export function AlarmFilters({ address, change }: { address: AlarmAddress; change: (to: Partial<AlarmAddress>) => void }) {
  const { t } = useTranslation(['alarmList', 'app'])
  const [unfolded, setUnfolded] = useState(false)
  const keys = useMemo(alarmChoices, [])
  const edge = (name: 'from' | 'to') => (
    <span className="filter-moment">
      <span aria-hidden="true">{t(name)}</span>
      <MomentChoice
        kind="minute"
        label={t(name)}
        at={address[name] === null ? null : localOf(address[name])}
        onChoose={(at) => change({ [name]: at === null ? null : momentOf(at), last: null })}
      />
    </span>
  )
  return (
    <div className={unfolded ? 'alarm-filters unfolded' : 'alarm-filters'} role="search" aria-label={t('filters')}>
      <SearchField label={t('searchFor')} value={address.text} onChange={(text) => change({ text })} />
      <button
        type="button"
        className="btn unfold"
        aria-expanded={unfolded}
        aria-pressed={isFiltered(address)}
        onClick={() => setUnfolded(!unfolded)}
      >
        <Icon name="filter" />
        {t('filters')}
      </button>
      <div className="filter-parts">
        <span className="chips" role="group" aria-label={t('kind')}>
          {alarmKinds.map((kind) => (
            <button
              type="button"
              key={kind}
              className="chip"
              aria-pressed={address.kinds.includes(kind)}
              onClick={() => change({ kinds: toggled(address.kinds, kind) })}
            >
              <Mark kind={kind} />
              {t(`kinds.${kind}`)}
            </button>
          ))}
        </span>
        <ChoiceFilter
          label={t('anyPriority')}
          chosen={address.priorities}
          options={priorities.map((value) => ({ value, label: t(`priorities.${value}`) }))}
          onChange={(values) => change({ priorities: priorities.filter((each) => values.has(each)) })}
        />
        <ChoiceFilter
          label={t('anyState')}
          chosen={address.states}
          options={alarmStates
            .filter((value) => address.past || value !== 'normal')
            .map((value) => ({ value, label: t(`states.${value}`) }))}
          onChange={(values) => change({ states: alarmStates.filter((each) => values.has(each)) })}
        />
        <ChoiceFilter
          label={t('anyKey')}
          chosen={address.keys}
          options={keys}
          searched
          onChange={(values) => change({ keys: [...values].slice(0, 50) })}
        />
        <FilterSelect
          label={t('anyShelved')}
          value={address.shelved === null ? '' : address.shelved ? 'yes' : 'no'}
          options={[
            { value: 'yes', label: t('shelvedOnly') },
            { value: 'no', label: t('shelvedNot') },
          ]}
          onChange={(value) => change({ shelved: value === '' ? null : value === 'yes' })}
        />
        <FilterSelect
          label={t('anyTime')}
          value={address.last ?? ''}
          options={(Object.keys(ranges) as Range[]).map((value) => ({ value, label: t(`lastOf.${value}`) }))}
          onChange={(value) => change({ last: value === '' ? null : (value as Range), from: null, to: null })}
        />
        <span className="filter-moments">
          {edge('from')}
          {edge('to')}
        </span>
        {isFiltered(address) && (
          <button type="button" className="btn quiet" onClick={() => change(withoutFilters(address))}>
            {t('app:clearFilters')}
          </button>
        )}
      </div>
    </div>
  )
}

const toggled = <T,>(values: readonly T[], value: T): readonly T[] =>
  values.includes(value) ? values.filter((each) => each !== value) : [...values, value]
