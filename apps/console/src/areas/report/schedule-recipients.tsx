import { useTranslation } from 'react-i18next'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { RecipientValues } from './schedule-values.ts'

type Value = readonly RecipientValues[]

interface Props {
  readonly accounts: readonly { readonly AccountID: string; readonly Name: string; readonly Address: string }[]
  readonly most: number
  readonly value: Value
  readonly error: string | null
  readonly onChange: (value: Value) => void
}

/** To whom a report goes: accounts, and addresses that are asked first. */
export function ScheduleRecipients({ accounts, most, value, error, onChange }: Props) {
  const { t } = useTranslation('schedules')
  const edit = (index: number, part: Partial<RecipientValues>) =>
    onChange(value.map((each, at) => (at === index ? { ...each, ...part } : each)))
  const options = [
    { value: '', label: t('otherAddress') },
    ...accounts.map(({ AccountID, Name, Address }) => ({ value: AccountID, label: `${Name} · ${Address}` })),
  ]
  return (
    <fieldset className="schedule-fields">
      <legend>{t('recipients')}</legend>
      {value.map((each, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row has nothing of its own but its place
        <div className="schedule-recipient" key={index}>
          <SelectField
            label={t('recipientNo', { no: index + 1 })}
            options={options}
            value={each.AccountID}
            onChange={(AccountID) => edit(index, { AccountID })}
          />
          {each.AccountID === '' && (
            <TextField
              label={t('address')}
              type="email"
              maxLength={254}
              value={each.Address}
              onChange={(Address) => edit(index, { Address })}
            />
          )}
          <SelectField
            label={t('language')}
            options={[
              { value: 'CN', label: '中文' },
              { value: 'EN', label: 'English' },
            ]}
            value={each.Language}
            onChange={(Language) => edit(index, { Language: Language === 'EN' ? 'EN' : 'CN' })}
          />
          <button
            type="button"
            className="btn quiet"
            aria-label={t('takeOut', { no: index + 1 })}
            onClick={() => onChange(value.filter((_, at) => at !== index))}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
      {error && (
        <small className="problem" role="alert">
          {error}
        </small>
      )}
      <small className="mute">{t('addressHint')}</small>
      {value.length < most && (
        <button
          type="button"
          className="btn small"
          onClick={() => onChange([...value, { AccountID: '', Address: '', Language: 'CN' }])}
        >
          {t('addRecipient')}
        </button>
      )}
    </fieldset>
  )
}
