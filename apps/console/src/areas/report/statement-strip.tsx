import type { listStatements, Reply } from '@linewarden/contract'
import { moneyText, wholeKwh } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { unitOf } from '../energy/tariff-values.ts'
import type { ShownRow } from './statement-values.ts'
import { figuresOf, sumsOf } from './statement-values.ts'

/** What these months come to, how many statements there are, and what is still to be done. */
export function StatementStrip(props: {
  rows: readonly ShownRow[]
  about: Reply<typeof listStatements>['about']
  months: { readonly from: string; readonly to: string }
}) {
  const { rows, about, months } = props
  const { t, i18n } = useTranslation('statements')
  const { Counts, Pending } = about
  const sums = sumsOf(rows)
  const currency = rows.map((row) => figuresOf(row)?.currency ?? null).find((each) => each !== null)
  const unit = currency ? unitOf(currency, i18n.language) : ''
  return (
    <section className="strip statement-strip">
      <div>
        <span className="mute">{t('used')}</span>
        <b>
          {wholeKwh(sums.wh)} <span className="state">kWh</span>
        </b>
        <span className="state">{t('usedHint', months)}</span>
      </div>
      <div>
        <span className="mute">{t('fee')}</span>
        <b>
          {sums.fee !== null && !sums.isIssued && '≈ '}
          {moneyText(sums.fee)} <span className="state">{sums.fee !== null && unit}</span>
        </b>
        {sums.issuedFee !== null && <span className="state">{t('ofIssued', { fee: moneyText(sums.issuedFee) })}</span>}
      </div>
      <div>
        <span className="mute">{t('sheets')}</span>
        <b>
          {Counts.draft + Counts.issued + Counts.replaced + Counts.void} <span className="state">{t('sheetsUnit')}</span>
        </b>
        <span className="state">{t('sheetsHint', Counts)}</span>
      </div>
      <div>
        <span className="mute">{t('pending')}</span>
        <b>
          {Pending + Counts.late} <span className="state">{t('pendingUnit')}</span>
        </b>
        <span className="state">
          {Pending + Counts.late === 0 ? t('nonePending') : t('pendingHint', { drafts: Pending, late: Counts.late })}
        </span>
      </div>
    </section>
  )
}
