import type { TariffEffect as Effect } from '@linewarden/contract'
import { previewTariff } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { span } from '../../ui/format.ts'
import { nameOf, unitOf } from './tariff-values.ts'

/** What the saved version would have come to over the last twelve months. */
export function TariffEffect({ houseId, versionId }: { houseId: number; versionId: number }) {
  const { t, i18n } = useTranslation('tariffs')
  const query = useCall(previewTariff, { body: { HouseID: houseId, VersionID: versionId } })
  const { data } = query
  return (
    <section className="tariff-part" aria-label={t('effect')}>
      <h3>{t('effect')}</h3>
      {!data && <Unloaded query={query} />}
      {data && (
        <>
          <p className="mute">
            {data.items.length === 0 ? t('noEffect') : t('effectHint', { from: data.about.From, to: data.about.To })}
            {data.about.LeftOut > 0 && t('leftOut', { count: data.about.LeftOut })}
          </p>
          <ul className="energy-cards">
            {data.items.map((effect) => (
              <li key={effect.SupplyID} aria-label={effect.Name}>
                <EffectOf effect={effect} unit={unitOf(data.about.Currency, i18n.language)} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

/** What is not known is no nought. */
const kwh = (wh: number | null): string => (wh === null ? '–' : (wh / 1_000).toFixed(0))

function EffectOf({ effect, unit }: { effect: Effect; unit: string }) {
  const { t } = useTranslation('tariffs')
  const { Name, Wh, LackingS, Now, Then, Difference, CurrenciesDiffer } = effect
  const keys = [...new Set([...Now.Bands, ...Then.Bands].map(({ Key }) => Key))]
  const of = ({ Bands }: Effect['Now'], key: string) => kwh(Wh === null ? null : (Bands.find(({ Key }) => Key === key)?.Wh ?? 0))
  const fee = ({ Fee }: Effect['Now']) => (Fee === null ? '–' : `≈ ${Fee}`)
  return (
    <>
      <h4>{Name}</h4>
      <p className="mute">
        <span>{`${kwh(Wh)} kWh`}</span>
        {LackingS > 0 && <span>{t('lacking', { time: span(LackingS * 1_000) })}</span>}
      </p>
      <table className="tariff-effect">
        <thead>
          <tr>
            <th scope="col">kWh</th>
            <th scope="col">{t('now')}</th>
            <th scope="col">{t('byVersion')}</th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <tr key={key}>
              <th scope="row">{nameOf(key)}</th>
              <td>{of(Now, key)}</td>
              <td>{of(Then, key)}</td>
            </tr>
          ))}
          {(Now.UnpricedWh !== 0 || Then.UnpricedWh !== 0) && (
            <tr>
              <th scope="row">{t('unpriced')}</th>
              <td>{kwh(Now.UnpricedWh)}</td>
              <td>{kwh(Then.UnpricedWh)}</td>
            </tr>
          )}
          <tr>
            <th scope="row">{t('fee', { unit })}</th>
            <td>{fee(Now)}</td>
            <td>{fee(Then)}</td>
          </tr>
        </tbody>
      </table>
      <p>
        {Difference === null
          ? t(Wh === null ? 'nothingKnown' : CurrenciesDiffer ? 'currenciesDiffer' : 'noDifference')
          : t('difference', { difference: Difference, unit })}
      </p>
    </>
  )
}
