import { listTariffs } from '@linewarden/contract'
import { maxSupplyTariffs } from '@linewarden/rules/energy'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { SelectField } from '../../ui/fields.tsx'
import { Icon } from '../../ui/icon.tsx'
import { MomentField } from '../../ui/moment-field.tsx'
import type { SupplyValues } from './supply-values.ts'

type Value = SupplyValues['Tariffs']

/** Which tariff a supply has from when on: each date has exactly one. */
export function SupplyTariffs(props: { houseId: number; value: Value; error: string | null; onChange: (value: Value) => void }) {
  const { houseId, value, error, onChange } = props
  const { t } = useTranslation('energySettings')
  const query = useCall(listTariffs, { query: { HouseID: houseId } })
  const options = (query.data?.items ?? []).map(({ TariffID, Name }) => ({ value: String(TariffID), label: Name }))
  const edit = (index: number, part: Partial<Value[number]>) =>
    onChange(value.map((each, at) => (at === index ? { ...each, ...part } : each)))
  return (
    <fieldset className="energy-member-fields">
      <legend>{t('tariffs')}</legend>
      {!query.data && <Unloaded query={query} />}
      {value.map((each, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row has nothing of its own but its place
        <div className="energy-tariff" key={index}>
          <SelectField
            label={t('tariffNo', { no: index + 1 })}
            placeholder={t('chooseTariff')}
            options={options}
            value={each.TariffID}
            onChange={(TariffID) => edit(index, { TariffID })}
          />
          {index === 0 ? (
            <span className="mute">{t('fromBeginning')}</span>
          ) : (
            <MomentField kind="day" label={t('tariffFrom')} value={each.From} onChange={(From) => edit(index, { From })} />
          )}
          <button
            type="button"
            className="btn quiet"
            aria-label={t('takeOut', { name: t('tariffNo', { no: index + 1 }) })}
            onClick={() => onChange(value.filter((_, at) => at !== index))}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
      {error && (
        <small className="tariff-failure" role="alert">
          {error}
        </small>
      )}
      {options.length === 0 && query.data ? (
        <small className="mute">{t('noTariffs')}</small>
      ) : (
        value.length < maxSupplyTariffs && (
          <button type="button" className="btn small" onClick={() => onChange([...value, { TariffID: '', From: '' }])}>
            {t(value.length === 0 ? 'addTariff' : 'otherTariff')}
          </button>
        )
      )}
    </fieldset>
  )
}
