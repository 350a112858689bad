import type { TariffContent } from '@linewarden/contract'
import { componentBases, knownComponents, maxComponents } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PickFilter } from '../../ui/pick-field.tsx'
import type { Component } from './tariff-values.ts'
import { delivered, nameOf, unitOf, withPrices } from './tariff-values.ts'

type Edit = (part: Partial<TariffContent>) => void

/** What is charged: each row of a bill with its price, or a price for each band. */
export function TariffPrices({ content, currency, onEdit }: { content: TariffContent; currency: string; onEdit: Edit | null }) {
  const { t, i18n } = useTranslation('tariffs')
  const { Bands, Components } = content
  const unit = unitOf(currency, i18n.language)
  const sums = delivered(content)
  const edit = (index: number, next: Component) =>
    onEdit?.({ Components: Components.map((each, at) => (at === index ? next : each)) })
  return (
    <section className="tariff-part" aria-label={t('prices')}>
      <h3>{t('prices')}</h3>
      {onEdit && <p className="mute">{t('pricesHint')}</p>}
      <ul className="tariff-components">
        {Components.map((each, index) => (
          <li key={each.Key} aria-label={nameOf(each.Key)}>
            <div className="tariff-component-head">
              <b>{nameOf(each.Key)}</b>
              <BasisChoice component={each} onEdit={onEdit && ((Basis) => edit(index, withPrices(each, Basis, Bands.length)))} />
              {onEdit && (
                <button
                  type="button"
                  className="btn small quiet"
                  aria-label={t('removeNamed', { name: nameOf(each.Key) })}
                  onClick={() =>
                    onEdit({
                      Components: Components.filter((_, at) => at !== index).map((other) => ({
                        ...other,
                        Of: other.Of.filter((key) => key !== each.Key),
                      })),
                    })
                  }
                >
                  {t('remove')}
                </button>
              )}
            </div>
            <Prices component={each} bands={Bands} unit={unit} onEdit={onEdit && ((next) => edit(index, next))} />
            {each.Basis === 'percentOf' && (
              <Parts component={each} before={Components.slice(0, index)} onEdit={onEdit && ((next) => edit(index, next))} />
            )}
            <Flags component={each} onEdit={onEdit && ((next) => edit(index, next))} />
          </li>
        ))}
      </ul>
      <p className="tariff-sum">
        <b>{t('delivered', { unit })}</b>
        {sums === null
          ? t('deliveredUnknown')
          : Bands.map((band, index) => <span key={band}>{`${nameOf(band)} ${sums[index] ?? ''}`}</span>)}
        {Components.some(({ Basis }) => Basis === 'kwhBySeries') && <span className="mute">{t('besideSeries')}</span>}
      </p>
      {onEdit && Components.length < maxComponents && <AddComponent content={content} onEdit={onEdit} />}
    </section>
  )
}

function BasisChoice({ component, onEdit }: { component: Component; onEdit: ((basis: Component['Basis']) => void) | null }) {
  const { t } = useTranslation('tariffs')
  if (!onEdit) return <span className="mute">{t(`bases.${component.Basis}`)}</span>
  return (
    <select
      aria-label={t('basisOf', { name: nameOf(component.Key) })}
      value={component.Basis}
      onChange={({ target }) => {
        const basis = componentBases.find((each) => each === target.value)
        if (basis) onEdit(basis)
      }}
    >
      {componentBases.map((each) => (
        <option key={each} value={each}>
          {t(`bases.${each}`)}
        </option>
      ))}
    </select>
  )
}

function Prices(props: {
  component: Component
  bands: readonly string[]
  unit: string
  onEdit: ((component: Component) => void) | null
}) {
  const { component, bands, unit, onEdit } = props
  const { t } = useTranslation('tariffs')
  const { Key, Basis, Prices: prices } = component
  const isByBand = Basis === 'kwhByBand'
  const per = t(`units.${Basis}`, { unit })
  if (Basis === 'kwhBySeries') return <small className="mute">{per}</small>
  return (
    <div className="tariff-prices">
      {(isByBand ? bands : ['']).map((band, index) => {
        const name = isByBand ? nameOf(band) : null
        const price = prices[index] ?? ''
        return (
          <div key={band} className="tariff-price">
            {name !== null && <span>{name}</span>}
            {onEdit ? (
              <input
                inputMode="decimal"
                maxLength={24}
                value={price}
                aria-label={
                  name === null ? t('priceOf', { name: nameOf(Key) }) : t('bandPriceOf', { name: nameOf(Key), band: name })
                }
                onChange={({ target }) => {
                  const Prices = Array.from({ length: isByBand ? bands.length : 1 }, (_, at) => prices[at] ?? '')
                  Prices[index] = target.value.trim()
                  onEdit({ ...component, Prices })
                }}
              />
            ) : (
              <b>{price}</b>
            )}
          </div>
        )
      })}
      <small className="mute">{per}</small>
    </div>
  )
}

/** Of what it is a per cent: only what stands before it. */
function Parts(props: { component: Component; before: readonly Component[]; onEdit: ((component: Component) => void) | null }) {
  const { component, before, onEdit } = props
  const { t } = useTranslation('tariffs')
  if (!onEdit) return <p className="mute">{component.Of.map(nameOf).join(t('comma'))}</p>
  return (
    <div className="tariff-flags" role="group" aria-label={t('ofWhat')}>
      {before.map(({ Key }) => (
        <label className="check-line" key={Key}>
          <input
            type="checkbox"
            checked={component.Of.includes(Key)}
            onChange={({ target }) =>
              onEdit({
                ...component,
                Of: before.map((each) => each.Key).filter((key) => (key === Key ? target.checked : component.Of.includes(key))),
              })
            }
          />
          {nameOf(Key)}
        </label>
      ))}
    </div>
  )
}

function Flags({ component, onEdit }: { component: Component; onEdit: ((component: Component) => void) | null }) {
  const { t } = useTranslation('tariffs')
  const { InPowerFactorBase, GovernmentFund } = component
  if (!onEdit) return <p className="mute">{GovernmentFund ? t('isFund') : t(InPowerFactorBase ? 'inBase' : 'notInBase')}</p>
  return (
    <div className="tariff-flags">
      <label className="check-line">
        <input
          type="checkbox"
          checked={InPowerFactorBase && !GovernmentFund}
          disabled={GovernmentFund}
          onChange={({ target }) => onEdit({ ...component, InPowerFactorBase: target.checked })}
        />
        {t('inBase')}
      </label>
      <label className="check-line">
        <input
          type="checkbox"
          checked={GovernmentFund}
          onChange={({ target }) =>
            onEdit({ ...component, GovernmentFund: target.checked, InPowerFactorBase: InPowerFactorBase && !target.checked })
          }
        />
        {t('isFund')}
      </label>
    </div>
  )
}

/** What is charged otherwise than by energy. */
const usualBases: Readonly<Record<string, Component['Basis']>> = {
  ...{ demand: 'kwDemand', capacity: 'kvaCapacity', fixed: 'month', spot: 'kwhBySeries' },
}

function AddComponent({ content, onEdit }: { content: TariffContent; onEdit: Edit }) {
  const { t } = useTranslation('tariffs')
  const [name, setName] = useState('')
  const has = (key: string) => content.Components.some(({ Key }) => Key === key)
  const add = (given: string) => {
    const Key = given.trim()
    if (Key === '' || has(Key)) return
    const Basis = usualBases[Key] ?? 'kwh'
    onEdit({
      Components: [
        ...content.Components,
        {
          Key,
          Basis,
          Prices: Basis === 'kwhBySeries' ? [] : [''],
          Of: [],
          InPowerFactorBase: Key !== 'funds',
          GovernmentFund: Key === 'funds',
        },
      ],
    })
    setName('')
  }
  return (
    <div className="tariff-add">
      <PickFilter
        label={t('addPrice')}
        value=""
        options={knownComponents.filter((key) => !has(key)).map((key) => ({ value: key, label: nameOf(key) }))}
        onChange={add}
      />
      <input
        className="tariff-band-name"
        aria-label={t('otherPrice')}
        placeholder={t('otherPrice')}
        maxLength={24}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <button type="button" className="btn small" disabled={name.trim() === '' || has(name.trim())} onClick={() => add(name)}>
        {t('add')}
      </button>
    </div>
  )
}
