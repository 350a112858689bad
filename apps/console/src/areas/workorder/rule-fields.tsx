import { workOrderPeople } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../app/net/use-call.ts'
import { localised } from '../../ui/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import { PickField } from '../../ui/pick-field.tsx'
import type { Alarms } from './rule-values.ts'

interface Chosen {
  readonly value: readonly string[]
  readonly error: string | null
  readonly onChange: (value: readonly string[]) => void
}

/** Which kinds of alarms; none chosen: whichever. */
export function AlarmsField({ alarms, value, error, onChange }: Chosen & { alarms: Alarms }) {
  const { t } = useTranslation('orderRules')
  const names = new Map(alarms.map(({ Key, Label }) => [Key, localised(Label)]))
  return (
    <Several
      label={t('whichAlarms')}
      hint={t('anyAlarm')}
      placeholder={t('addAlarm')}
      options={alarms.map(({ Key, Label }) => ({ value: Key, label: localised(Label), note: Key }))}
      nameOf={(key) => names.get(key) ?? key}
      {...{ value, error, onChange }}
    />
  )
}

/** People of a rota in their order. */
export function RotaPeople({ houseId, value, error, onChange }: Chosen & { houseId: number }) {
  const { t } = useTranslation('orderRules')
  const people = useCall(workOrderPeople, { query: { HouseID: houseId } }).data?.items ?? []
  const names = new Map(people.map(({ AccountID, Name }) => [AccountID, Name]))
  return (
    <Several
      label={t('rotaPeople')}
      placeholder={t('addPerson')}
      options={people.map(({ AccountID, Name, JobName }) => ({ value: AccountID, label: Name, note: JobName }))}
      nameOf={(id) => names.get(id) ?? '–'}
      {...{ value, error, onChange }}
    />
  )
}

function Several({
  label,
  hint,
  placeholder,
  options,
  nameOf,
  value,
  error,
  onChange,
}: Chosen & {
  label: string
  hint?: string
  placeholder: string
  options: readonly { readonly value: string; readonly label: string; readonly note?: string }[]
  nameOf: (value: string) => string
}) {
  const { t } = useTranslation('orderRules')
  return (
    <div>
      <PickField
        label={label}
        {...(hint !== undefined && { hint })}
        error={error}
        options={options.filter((option) => !value.includes(option.value))}
        value=""
        placeholder={placeholder}
        onChange={(added) => added !== '' && onChange([...value, added])}
      />
      {value.length > 0 && (
        <div className="rule-chips">
          {value.map((each) => (
            <button
              type="button"
              className="chip"
              key={each}
              aria-label={t('takeOut', { name: nameOf(each) })}
              onClick={() => onChange(value.filter((other) => other !== each))}
            >
              {nameOf(each)}
              <Icon name="close" />
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
