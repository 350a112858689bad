import type { EnergyPicture } from '@linewarden/contract'
import type { EnergyUnit } from '@linewarden/rules/energy'
import { useTranslation } from 'react-i18next'
import { feeText } from './cost-values.ts'
import { BarName, BarState } from './energy-table.tsx'
import type { shownKwh } from './figures.ts'
import type { OpenOrigin } from './origin-figure.tsx'
import { BarFigure } from './origin-figure.tsx'
import type { within } from './period.ts'
import { nameOf, unitOf } from './tariff-values.ts'

/** How well a bar is known; energy that has no price comes first, since its cost is not known for that. */
function State({ bar }: { bar: EnergyPicture['Bars'][number] }) {
  const { t } = useTranslation('energyCost')
  const unpricedS = bar.Cost?.UnpricedS ?? 0
  return unpricedS > 0 ? <span>{t('unpricedBar', { count: unpricedS / 900 })}</span> : <BarState bar={bar} />
}

/** The same as the bars, to be read: energy by band, and what it costs about. */
export function CostTable(props: {
  picture: EnergyPicture
  unit: EnergyUnit
  shown: ReturnType<typeof shownKwh>
  onOpen: (part: NonNullable<ReturnType<typeof within>>) => void
  onOrigin: OpenOrigin
}) {
  const { picture, unit, shown, onOpen, onOrigin } = props
  const { t, i18n } = useTranslation(['energyCost', 'energy'])
  const { Bars, Total, Pricing } = picture
  const bands = Pricing?.Bands ?? []
  const money = Pricing?.Currency ? ` ${unitOf(Pricing.Currency, i18n.language)}` : ''
  const ofBand = (cost: EnergyPicture['Total']['Cost'], wh: number | null, band: number): string =>
    cost === null || wh === null ? '–' : shown.of(cost.ByBand[band] ?? 0)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keyboard
    <div className="cost-scroll" tabIndex={0} role="region" aria-label={t('table')}>
      <table className="energy-table">
        <caption>{t('table')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('energy:time')}</th>
            {bands.map((key) => (
              <th key={key} scope="col" className="num">
                {nameOf(key)}
              </th>
            ))}
            <th scope="col" className="num">
              kWh
            </th>
            <th scope="col" className="num">
              {t('fee')}
              {money}
            </th>
            {picture.Compared && (
              <>
                <th scope="col" className="num">
                  {t('energy:otherKwh')}
                </th>
                <th scope="col" className="num">
                  {t('otherFee')}
                  {money}
                </th>
              </>
            )}
            <th scope="col">{t('energy:state')}</th>
          </tr>
        </thead>
        <tbody>
          {Bars.map((bar, index) =>
            // What has not begun has nothing to read.
            bar.Start >= picture.At ? null : (
              <tr key={`${bar.Civil} ${bar.Clock}`}>
                <th scope="row">
                  <BarName bar={bar} unit={unit} onOpen={onOpen} />
                </th>
                {bands.map((key, band) => (
                  <td key={key} className="num">
                    {ofBand(bar.Cost, bar.Wh, band)}
                  </td>
                ))}
                {[shown.bars[index] ?? '–', feeText(bar.Cost?.Fee ?? null)].map((figure, column) => (
                  <td key={column === 0 ? 'kWh' : 'fee'} className="num">
                    <BarFigure {...{ bar, figure, onOrigin }} />
                  </td>
                ))}
                {picture.Compared && (
                  <>
                    <td className="num mute">{shown.of(bar.Compared?.Wh ?? null)}</td>
                    <td className="num mute">{feeText(bar.Compared?.Fee ?? null)}</td>
                  </>
                )}
                <td>{bar.LengthS === 0 ? <span className="mute">{t('notBilled')}</span> : <State bar={bar} />}</td>
              </tr>
            ),
          )}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('total')}</th>
            {bands.map((key, band) => (
              <td key={key} className="num">
                {ofBand(Total.Cost, Total.Wh, band)}
              </td>
            ))}
            <td className="num">{shown.total}</td>
            <td className="num">{feeText(Total.Cost?.Fee ?? null)}</td>
            {picture.Compared && (
              <>
                <td className="num mute">{shown.of(picture.Compared.Wh)}</td>
                <td className="num mute">{feeText(picture.Compared.Cost?.Fee ?? null)}</td>
              </>
            )}
            <td />
          </tr>
        </tfoot>
      </table>
    </div>
  )
}
