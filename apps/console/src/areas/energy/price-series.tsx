import type { Project } from '@linewarden/contract'
import { listPrices, zoneClock } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { addTexts } from '../../ui/i18n.ts'
import { momentText } from '../../ui/moment-text.ts'
import { PriceDay } from './price-day.tsx'
import { PriceImportDialog } from './price-import.tsx'
import { energyPrices } from './price-texts.ts'
import './price-series.css'

addTexts({ energyPrices })

/** What was imported of the prices of a tariff, and how more is. */
export function PriceSeries(props: { house: Project; tariffId: number; currency: string; reason: string | null }) {
  const { house, tariffId, currency, reason } = props
  const { t } = useTranslation('energyPrices')
  const query = useCall(listPrices, { query: { HouseID: house.HouseID, TariffID: tariffId } })
  const [importing, setImporting] = useState(false)
  const { data } = query
  const clock = (at: number) => momentText('minute', zoneClock(house.TimeZone).local(at))
  return (
    <section className="tariff-part" aria-label={t('title')}>
      <h3>{t('title')}</h3>
      {!data && <Unloaded query={query} />}
      {data && (
        <p className="mute">
          {data.about.From === null || data.about.To === null
            ? t('none')
            : t('known', { from: clock(data.about.From), to: clock(data.about.To) })}
        </p>
      )}
      {data && data.about.To !== null && <PriceDay {...{ house, tariffId, currency }} until={data.about.To} />}
      {data && data.items.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keyboard
        <div className="cost-scroll" role="region" aria-label={t('list')} tabIndex={0}>
          <table className="energy-table">
            <thead>
              <tr>
                <th scope="col">{t('list')}</th>
                <th scope="col">{t('source')}</th>
                <th scope="col">{t('span')}</th>
                <th scope="col">{t('step')}</th>
                <th scope="col" className="num">
                  {t('quarters')}
                </th>
                <th scope="col" className="num">
                  {t('changed')}
                </th>
                <th scope="col" className="num">
                  {t('unknown')}
                </th>
                <th scope="col">{t('importedAt')}</th>
              </tr>
            </thead>
            <tbody>
              {data.items.map((each) => (
                <tr key={each.Number}>
                  <th scope="row">{t('number', { no: each.Number })}</th>
                  <td className="price-source">{each.Source}</td>
                  <td>{t('known', { from: clock(each.From), to: clock(each.To) })}</td>
                  <td>{t('minutes', { minutes: each.Minutes })}</td>
                  <td className="num">{each.Quarters}</td>
                  <td className="num">{each.Changed}</td>
                  <td className="num">{each.Unknown}</td>
                  <td>
                    {clock(each.At)} <span className="mute">{each.ChangedBy}</span>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <ReasonedButton className="btn" reason={reason} onClick={() => setImporting(true)}>
        {t('import')}
      </ReasonedButton>
      {importing && <PriceImportDialog {...{ house, tariffId, currency }} onClose={() => setImporting(false)} />}
    </section>
  )
}
