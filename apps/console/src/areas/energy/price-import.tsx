import type { Project } from '@linewarden/contract'
import { priceMinutes, pricePers } from '@linewarden/rules/energy'
import { useTranslation } from 'react-i18next'
import { toast } from '../../app/notify/toasts.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { FileChoice } from '../../ui/file-choice.tsx'
import { localised } from '../../ui/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import { Mark } from '../../ui/mark.tsx'
import { unitOf } from './tariff-values.ts'
import type { CheckedPrices } from './use-price-import.ts'
import { usePriceImport } from './use-price-import.ts'

/** Prices by the quarter from a file: first what would change, then, once somebody has seen it, it is stored. */
export function PriceImportDialog(props: { house: Project; tariffId: number; currency: string; onClose: () => void }) {
  const { house, tariffId, currency, onClose } = props
  const { t, i18n } = useTranslation(['energyPrices', 'app'])
  const prices = usePriceImport(house, tariffId, currency)
  const { busy, problem, checked, choices, source } = prices
  const isMissing = source.trim() === ''
  const count = checked?.ProblemCount === 0 ? checked.Changed : 0
  const store = async () => {
    const stored = await prices.store()
    if (stored === null) return
    toast('info', t('done', { count: stored }))
    onClose()
  }
  const unit = unitOf(currency, i18n.language)
  return (
    <Dialog label={t('import')} wide onClose={onClose}>
      <h2>{t('import')}</h2>
      <div className="content price-import">
        <p>{t('what')}</p>
        <p className="mute">{t('clock', { zone: house.TimeZone })}</p>
        <TextField
          label={t('source')}
          hint={t('sourceHint')}
          maxLength={300}
          required
          autoFocus
          value={source}
          onChange={prices.setSource}
        />
        <div className="price-choices">
          <SelectField
            label={t('per')}
            value={choices.per}
            disabled={busy}
            options={pricePers.map((value) => ({ value, label: `${unit}/${value}` }))}
            onChange={(value) => prices.choose({ ...choices, per: pricePers.find((each) => each === value) ?? 'kWh' })}
          />
          <SelectField
            label={t('resolution')}
            value={String(choices.minutes ?? '')}
            disabled={busy}
            options={[
              { value: '', label: t('anyResolution') },
              ...priceMinutes.map((minutes) => ({ value: String(minutes), label: t('minutes', { minutes }) })),
            ]}
            onChange={(value) =>
              prices.choose({ ...choices, minutes: priceMinutes.find((each) => String(each) === value) ?? null })
            }
          />
          <button type="button" className="btn" disabled={busy} onClick={() => void prices.saveTemplate()}>
            <Icon name="download" />
            {t('template')}
          </button>
          <FileChoice
            accept=".csv,.txt,.xml,.xls,.xlsx"
            label={checked ? t('otherFile') : undefined}
            disabled={busy || isMissing}
            onFile={(given) => void prices.readFile(given)}
          />
        </div>
        {isMissing && <p className="mute">{t('sourceMissing')}</p>}
        {busy && <p role="status">{t('reading')}</p>}
        {problem !== null && (
          <p className="problem" role="alert">
            <Mark kind="alarm" />
            {problem}
          </p>
        )}
        {checked && <Checked checked={checked} unit={`${unit}/kWh`} />}
      </div>
      <div className="foot">
        <button type="button" className="btn" onClick={onClose}>
          {t('app:cancel')}
        </button>
        {checked && checked.ProblemCount === 0 && (
          <button type="button" className="btn primary" disabled={busy || count === 0 || isMissing} onClick={store}>
            {count === 0 ? t('nothing') : t('doImport', { count })}
          </button>
        )}
      </div>
    </Dialog>
  )
}

/** What would be stored, or all that is wrong. */
function Checked({ checked, unit }: { checked: CheckedPrices; unit: string }) {
  const { t } = useTranslation('energyPrices')
  const { Problems, ProblemCount, Days, Quarters, Minutes, Changed, Negative, Unknown } = checked
  if (ProblemCount > 0)
    return (
      <div role="alert">
        <p className="caution">
          <Mark kind="warning" />
          {t('wrong', { count: ProblemCount })}
        </p>
        <ul className="price-problems">
          {Problems.map(({ Row, Key, Text }) => (
            <li key={`${Row} ${Key}`}>{t('problem', { row: Row, text: localised(Text) })}</li>
          ))}
          {ProblemCount > Problems.length && <li>{t('more', { count: ProblemCount - Problems.length })}</li>}
        </ul>
      </div>
    )
  const facts = { quarters: Quarters, minutes: Minutes ?? '–', changed: Changed, negative: Negative, unknown: Unknown }
  return (
    <>
      <p>
        <b>{t('checked', facts)}</b>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div className="price-days" role="region" aria-label={t('days')} tabIndex={0}>
        <table className="energy-table">
          <thead>
            <tr>
              <th scope="col">{t('date')}</th>
              <th scope="col" className="num">
                {t('quarters')}
              </th>
              <th scope="col" className="num">
                {t('unknown')}
              </th>
              <th scope="col" className="num">
                {`${t('least')} ${unit}`}
              </th>
              <th scope="col" className="num">
                {`${t('most')} ${unit}`}
              </th>
            </tr>
          </thead>
          <tbody>
            {Days.map((day) => (
              <tr key={day.Date}>
                <th scope="row">{day.Date}</th>
                <td className="num">{t('ofDay', { quarters: day.Quarters, of: day.OfDay })}</td>
                <td className="num">{day.Unknown}</td>
                <td className="num">{day.Least ?? '–'}</td>
                <td className="num">{day.Most ?? '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
