import type { AlarmRationaleRecord } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { dayTime } from '../../../ui/format.ts'
import { localised } from '../../../ui/i18n.ts'

/** The sheet, an alarm a row; on a phone a card each. */
export function SheetTable({
  rows,
  chosen,
  onChoose,
}: {
  rows: readonly AlarmRationaleRecord[]
  chosen: string | null
  onChoose: (key: string) => void
}) {
  const { t } = useTranslation('rationaleSheet')
  return (
    <table className="sheet-table" aria-label={t('sheet')}>
      <thead>
        <tr>
          {(['alarm', 'action', 'timeHead', 'comesFrom', 'changed'] as const).map((head) => (
            <th key={head}>{t(head)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.Key} className={row.Key === chosen ? 'chosen' : undefined}>
            <td>
              <button
                type="button"
                className="sheet-name"
                aria-current={row.Key === chosen ? 'true' : undefined}
                onClick={() => onChoose(row.Key)}
              >
                {localised(row.Label)}
              </button>
              <small>
                {t(`priorities.${row.AlarmPriority}`)} · {row.Key}
              </small>
            </td>
            <td className="sheet-action">
              {row.Texts ? <span>{localised(row.Texts.Action)}</span> : <span className="mute">{t('noAnswer')}</span>}
            </td>
            <td>{row.Texts ? localised(row.Texts.Time) : '–'}</td>
            <td>{t(`origins.${row.Origin}`)}</td>
            <td className="sheet-changed">
              {row.ChangedAt !== null && (
                <>
                  {dayTime(row.ChangedAt)} <bdi>{row.ChangedBy}</bdi>
                </>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
