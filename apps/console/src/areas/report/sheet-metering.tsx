import type { Statement } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { nameOf } from '../energy/tariff-values.ts'
import { inBillOrder, kwhText } from './statement-values.ts'

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

function Member({ member }: { member: Statement['Members'][number] }) {
  const { t } = useTranslation('statements')
  const { Name, Place, Sign, Opening, Closing, Multiplier, Wh, Bands, Agrees } = member
  const rise = Opening === null || Closing === null ? null : Closing - Opening
  return (
    <tbody>
      <tr className="sheet-first">
        <th scope="rowgroup" rowSpan={Bands.length + 1}>
          {Name ?? t('gone')}
          {Sign === -1 && <small>{t('takenOff')}</small>}
          {Place !== null && <small>{Place}</small>}
          {Agrees !== true && <small>{t(Agrees === null ? 'noRegister' : 'disagrees')}</small>}
        </th>
        <th scope="row">{t('active')}</th>
        <td className="num">{kwhText(Opening)}</td>
        <td className="num">{kwhText(Closing)}</td>
        <td className="num">{kwhText(rise)}</td>
        <td className="num">{Multiplier}</td>
        <td className="num">
          <b>{kwhText(Wh)}</b>
        </td>
        <td>kWh</td>
      </tr>
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
