import type { Statement } from '@linewarden/contract'
import { cosText, moneyText, quantityText } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { nameOf, unitOf } from '../energy/tariff-values.ts'

type Part = Statement['Parts'][number]
type Row = Part['Rows'][number]

/** Each row of the bill, rounded once. */
export function Charges({ statement }: { statement: Statement }) {
  const { t, i18n } = useTranslation('statements')
  const { Parts, Currency, CosHundredths } = statement
  const unit = Currency ? unitOf(Currency, i18n.language) : ''
  let before = 0
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="sheet-section" tabIndex={0}>
      <h2>
        {t('charges')} <small>{t('chargesHint')}</small>
      </h2>
      <table className="sheet-rows">
        <thead>
          <tr>
            <th scope="col">{t('item')}</th>
            <th scope="col">{t('name')}</th>
            <th scope="col" className="num">
              {t('quantity')}
            </th>
            <td />
            <th scope="col" className="num">
              {t('price')}
            </th>
            <th scope="col" className="num">
              {t('amount', { unit })}
            </th>
            <td />
          </tr>
        </thead>
        {Parts.map((part) => {
          const first = before
          before += part.Rows.length
          return (
            <tbody key={part.From}>
              {Parts.length > 1 && (
                <tr className="sheet-first">
                  <th scope="rowgroup" colSpan={7}>
                    {t('part', { from: part.From, to: part.To, tariff: part.Tariff, no: part.Number })}
                  </th>
                </tr>
              )}
              {part.Rows.map((row, place) => (
                <RowOf
                  key={`${row.Key} ${row.Band ?? ''}`}
                  row={row}
                  number={first + place + 1}
                  unit={unit}
                  cos={CosHundredths}
                />
              ))}
            </tbody>
          )
        })}
      </table>
    </section>
  )
}

function RowOf({ row, number, unit, cos }: { row: Row; number: number; unit: string; cos: number | null }) {
  const { t } = useTranslation('statements')
  const { Key, Band, Unit, Quantity, Price, PricePercent, Share, Amount, Gap, InPowerFactorBase, Estimated } = row
  const isPowerFactor = Key === 'powerFactor'
  const name = isPowerFactor ? (cos === null ? t('powerFactorRow') : t('powerFactorIs', { cos: cosText(cos) })) : nameOf(Key)
  const price =
    Price === null
      ? Key === 'powerFactor' || Unit !== 'kWh'
        ? '–'
        : t('byQuarter')
      : Unit === 'money'
        ? `${moneyText(Price)} %`
        : moneyText(Price)
  return (
    <tr>
      <td>{number}</td>
      <th scope="row">
        {Band === null ? name : `${name} · ${nameOf(Band)}`}
        {Estimated && <b className="sheet-estimated"> {t('estimated')}</b>}
      </th>
      <td className="num">{quantityText(Quantity)}</td>
      <td>{Unit === 'money' ? unit : t(`units.${Unit}`)}</td>
      <td className="num">
        {price}
        {PricePercent !== null && ` × ${PricePercent} %`}
        {Share && ` × ${Share.Days}/${Share.Of}`}
      </td>
      <td className="num">{moneyText(Amount)}</td>
      <td>
        {Gap === null
          ? isPowerFactor
            ? Amount !== null && Number(Amount) !== 0 && t(Amount.startsWith('-') ? 'reward' : 'penalty')
            : t(InPowerFactorBase ? 'inBase' : 'notInBase')
          : t(`gaps.${Gap}`)}
      </td>
    </tr>
  )
}
