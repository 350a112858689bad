import { dayClasses, maxImportDays } from '@linewarden/rules/automation'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../app/notify/toasts.tsx'
import { useMayOpen } from '../../../app/session/use-may.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { SelectField } from '../../../ui/fields.tsx'
import { FileChoice } from '../../../ui/file-choice.tsx'
import { localised } from '../../../ui/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Mark } from '../../../ui/mark.tsx'
import { maxIcsBytes } from './read-days.ts'
import type { Checked } from './use-calendar-import.ts'
import { useCalendarImport } from './use-calendar-import.ts'
import type { Whose } from './whose.ts'

const shownProblems = 20

/** Days from a file: first what each would change, then, once somebody has seen it, they are stored. */
export function CalendarImportDialog({ house, whose, onClose }: { house: number; whose: Whose; onClose: () => void }) {
  const { t } = useTranslation(['dayCalendar', 'automation', 'app'])
  const mayPrice = useMayOpen('/system/project')
  const days = useCalendarImport(house, whose)
  const { busy, problem, checked, choices } = days
  const count = checked?.Days.filter(({ Change }) => Change === 'new' || Change === 'changed').length ?? 0
  const store = async () => {
    const stored = await days.store()
    if (stored === null) return
    toast('info', t('done', { count: stored }))
    onClose()
  }
  return (
    <Dialog label={t('importTitle')} wide onClose={onClose}>
      <h2>{t('importTitle')}</h2>
      <div className="content calendar-import">
        <p>
          {t('importWhat')} {t(`whoseHint.${whose}`)}
        </p>
        <p className="mute">{t('limits', { size: Math.floor(maxIcsBytes / 1_000), most: maxImportDays })}</p>
        <div className="chips">
          <button type="button" className="btn" disabled={busy} onClick={days.saveTemplate}>
            <Icon name="download" />
            {t('template')}
          </button>
          <FileChoice
            accept=".ics,.xls,.xlsx"
            label={checked ? t('otherFile') : undefined}
            disabled={busy}
            first
            onFile={(given) => void days.readFile(given)}
          />
        </div>
        {busy && <p role="status">{t('reading')}</p>}
        {problem !== null && (
          <p className="problem" role="alert">
            <Mark kind="alarm" />
            {problem}
          </p>
        )}
        {checked && (
          <>
            <div className="choices">
              {days.isIcs && (
                <SelectField
                  label={t('plainClass')}
                  value={choices.plain}
                  disabled={busy}
                  options={dayClasses.map((value) => ({ value, label: t(`automation:classes.${value}`) }))}
                  onChange={(value) => days.choose({ ...choices, plain: dayClasses.find((each) => each === value) ?? 'holiday' })}
                />
              )}
              <label className="check">
                <input
                  type="checkbox"
                  checked={choices.over}
                  disabled={busy}
                  onChange={(event) => days.choose({ ...choices, over: event.target.checked })}
                />
                {t('overEntered')}
              </label>
              <label className="check">
                <input
                  type="checkbox"
                  checked={choices.isPublic}
                  disabled={busy || !mayPrice}
                  onChange={(event) => days.choose({ ...choices, isPublic: event.target.checked })}
                />
                {t('isPublic')}
              </label>
            </div>
            <CheckedDays checked={checked} />
          </>
        )}
      </div>
      <div className="foot">
        <button type="button" className="btn" onClick={onClose}>
          {t('app:cancel')}
        </button>
        {checked && (
          <button type="button" className="btn primary" disabled={busy || count === 0} onClick={store}>
            {count === 0 ? t('nothing') : t('doImport', { count })}
          </button>
        )}
      </div>
    </Dialog>
  )
}

function CheckedDays({ checked: { Days, Problems } }: { checked: Checked }) {
  const { t } = useTranslation(['dayCalendar', 'automation'])
  const counted = (change: Checked['Days'][number]['Change']) => Days.filter(({ Change }) => Change === change).length
  const facts = {
    days: Days.length,
    added: counted('new'),
    changed: counted('changed'),
    same: counted('same'),
    kept: counted('kept'),
  }
  return (
    <>
      <p>
        <b>{t('checked', facts)}</b>
      </p>
      {Problems.length > 0 && (
        <div className="left-out">
          <p className="caution" role="alert">
            <Mark kind="warning" />
            {t('leftOut', { count: Problems.length })}
          </p>
          <ul>
            {Problems.slice(0, shownProblems).map(({ Row, Key, Text }) => (
              <li key={`${Row} ${Key}`}>{t('problem', { row: Row, text: localised(Text) })}</li>
            ))}
            {Problems.length > shownProblems && <li>{t('moreProblems', { count: Problems.length - shownProblems })}</li>}
          </ul>
        </div>
      )}
      {Days.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <div className="checked-days" role="region" aria-label={t('change')} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th>{t('date')}</th>
                <th>{t('becomes')}</th>
                <th>{t('was')}</th>
                <th>{t('change')}</th>
              </tr>
            </thead>
            <tbody>
              {Days.map(({ Date: date, Class, Name, Change, Before }) => (
                <tr key={date} className={Change}>
                  <td>{date}</td>
                  <td>
                    {t(`automation:classes.${Class}`)} <bdi className="mute">{Name}</bdi>
                  </td>
                  <td>
                    {t(`automation:classes.${Before.Class}`)}{' '}
                    <span className="mute">{Before.Origin === null ? t('week') : <bdi>{Before.Name}</bdi>}</span>
                  </td>
                  <td>{t(`changes.${Change}`)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  )
}
