import type { Supply, SupplyBill } from '@linewarden/contract'
import { getSupplyBill, zoneClock } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { span } from '../../ui/format.ts'
import { momentText } from '../../ui/moment-text.ts'
import { feeText } from './cost-values.ts'
import { grouped } from './figures.ts'
import { everyMs } from './period.ts'
import { PowerFactorOf } from './power-factor.tsx'
import { nameOf, unitOf } from './tariff-values.ts'

/** The bill of a month by its rows, as far as they are known: it is none that the utility wrote. */
export function CostBill({ houseId, supply, month }: { houseId: number; supply: Supply; month: string }) {
  const { t } = useTranslation('energyCost')
  const ask = { HouseID: houseId, SupplyID: supply.SupplyID, Month: month }
  const query = useCall(getSupplyBill, { query: ask }, { refetchInterval: everyMs })
  const { data: bill } = query
  return (
    <section className="cost-bill" aria-label={t('bill')}>
      <h2>{t('billOf', { month })}</h2>
      {!bill && <Unloaded query={query} />}
      {bill && <Rows bill={bill} />}
      {bill && <PowerFactorOf houseId={houseId} month={month} bill={bill} />}
      {bill && <Lacking bill={bill} />}
    </section>
  )
}

function Rows({ bill }: { bill: SupplyBill }) {
  const { t, i18n } = useTranslation('energyCost')
  const unit = bill.Currency ? unitOf(bill.Currency, i18n.language) : ''
  return (
    <>
      <p className="mute">{t('billHint', { from: bill.From, to: bill.To })}</p>
      {bill.Parts.length === 0 ? (
        <p>{t(bill.Wh === null ? 'billEmpty' : 'billUnpriced')}</p>
      ) : (
        <table className="energy-table">
          <thead>
            <tr>
              <th scope="col">{t('row')}</th>
              <th scope="col">{t('band')}</th>
              <th scope="col" className="num">
                {unit}
              </th>
            </tr>
          </thead>
          {bill.Parts.map((part) => (
            <PartRows key={part.From} part={part} />
          ))}
          <tfoot>
            <tr>
              <th scope="row">{t(bill.IsWhole ? 'total' : 'knownTotal')}</th>
              <td />
              <td className="num">{feeText(bill.Known)}</td>
            </tr>
          </tfoot>
        </table>
      )}
    </>
  )
}

function PartRows({ part }: { part: SupplyBill['Parts'][number] }) {
  const { t } = useTranslation('energyCost')
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" colSpan={3} className="mute">
          {t('part', { tariff: part.Tariff, no: part.Number, from: part.From, to: part.To })}
        </th>
      </tr>
      {part.Rows.map(({ Key, Band, Fee, Gap, Share }) => (
        <tr key={`${Key} ${Band ?? ''}`}>
          <th scope="row">{Key === 'powerFactor' ? t('powerFactor') : nameOf(Key)}</th>
          <td>
            {Band !== null && nameOf(Band)}
            {Share && <span className="mute">{t('shareOf', { days: Share.Days, of: Share.Of })}</span>}
          </td>
          <td className="num">
            {Fee === null ? '–' : feeText(Fee).replace('≈ ', '')}
            {Gap !== null && <small className="cost-gap">{t(`gaps.${Gap}`)}</small>}
          </td>
        </tr>
      ))}
    </tbody>
  )
}

/** What it lacks, said and never counted as nought. */
function Lacking({ bill }: { bill: SupplyBill }) {
  const { t } = useTranslation('energyCost')
  const { MaxW, MaxAt, MaxLeftOutS, LackingS, OpenS, UnpricedWh, UnpricedS, Zone } = bill
  const time = (seconds: number) => span(seconds * 1_000)
  const notes = [
    OpenS > 0 ? t('isOpen') : null,
    LackingS > 0 ? t('isLacking', { time: time(LackingS) }) : null,
    UnpricedS > 0 ? t('isUnpriced', { kwh: grouped(UnpricedWh / 1_000, 0), count: UnpricedS / 900 }) : null,
    MaxW === null || MaxAt === null
      ? null
      : t('maxIs', { kw: grouped(MaxW / 1_000, 1), at: momentText('minute', zoneClock(Zone).local(MaxAt)) }),
    MaxW !== null && MaxLeftOutS > 0 ? t('maxLeftOut', { time: time(MaxLeftOutS) }) : null,
    bill.ByWeekday ? t('byWeekday') : null,
  ]
  return (
    <ul className="cost-notes mute">
      {notes.map((note) => note !== null && <li key={note}>{note}</li>)}
      <li>{t('noStatement')}</li>
    </ul>
  )
}
