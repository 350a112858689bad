import type { Statement } from '@linewarden/contract'
import { inBillOrder, kwhText, registersOf } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { nameOf } from '../energy/tariff-values.ts'

/** What each line's register showed at both ends, and what it used by band. */
export function Metering({ statement: { Members } }: { statement: Statement }) {
  const { t } = useTranslation('statements')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="sheet-section" tabIndex={0}>
      <h2>
        {t('metering')} <small>{t('meteringHint')}</small>
      </h2>
      <table className="sheet-rows">
        <thead>
          <tr>
            <th scope="col">{t('meter')}</th>
            <th scope="col">{t('register')}</th>
            {(['opening', 'closing', 'rise', 'multiplier', 'energy'] as const).map((key) => (
              <th scope="col" className="num" key={key}>
                {t(key)}
              </th>
            ))}
            <td />
          </tr>
        </thead>
        {Members.map((member) => (
          <Member key={member.LineID} member={member} />
        ))}
      </table>
    </section>
  )
}

type MemberOf = Statement['Members'][number]

function Member({ member }: { member: MemberOf }) {
  const { t } = useTranslation('statements')
  const { Name, Place, Sign, Wh, Bands, Meters, Agrees } = member
  const [first, ...others] = registersOf(member)
  const rows = Bands.length + others.length + (others.length > 0 ? 2 : 1)
  return (
    <tbody>
      <tr className="sheet-first">
        <th scope="rowgroup" rowSpan={rows}>
          {Name ?? t('gone')}
          {Sign === -1 && <small>{t('takenOff')}</small>}
          {Place !== null && <small>{Place}</small>}
          {Agrees !== true && <small>{t(Agrees === null ? 'noRegister' : 'disagrees')}</small>}
        </th>
        {first && <Register row={first} isWhole={others.length === 0} />}
      </tr>
      {others.map((row, place) => (
        <tr key={`${Meters[place + 1]?.From}`}>
          <Register row={row} isWhole={false} />
        </tr>
      ))}
      {others.length > 0 && (
        <tr>
          <th scope="row">{t('metersTogether')}</th>
          <td className="num" colSpan={5}>
            <b>{kwhText(Wh)}</b>
          </td>
          <td>kWh</td>
        </tr>
      )}
      {inBillOrder(Bands, ({ Key }) => Key).map(({ Key, Wh: own }) => (
        <tr key={Key}>
          <th scope="row">{nameOf(Key)}</th>
          <td className="num" colSpan={5}>
            {kwhText(own)}
          </td>
          <td>kWh</td>
        </tr>
      ))}
    </tbody>
  )
}

function Register({ row, isWhole }: { row: ReturnType<typeof registersOf>[number]; isWhole: boolean }) {
  const { t } = useTranslation('statements')
  const { serial, opening, closing, rise, multiplier, wh } = row
  return (
    <>
      <th scope="row">
        {t('active')}
        {serial !== '' && <small>{t('serialIs', { serial })}</small>}
      </th>
      <td className="num">{opening}</td>
      <td className="num">{closing}</td>
      <td className="num">{rise}</td>
      <td className="num">{multiplier}</td>
      <td className="num">{isWhole ? <b>{kwhText(wh)}</b> : kwhText(wh)}</td>
      <td>kWh</td>
    </>
  )
}
