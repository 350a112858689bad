import { useTranslation } from 'react-i18next'
import { Mark } from '../../ui/mark.tsx'
import { Place } from '../../ui/place.tsx'
import type { ChangeRow, ChangeTarget } from './change-rows.ts'
import './change-list.css'

/** What a dialog is about to send, repeated: each value from what to what, and which lines get it. */
export function ChangeList({ rows, targets }: { rows: readonly ChangeRow[]; targets: readonly ChangeTarget[] }) {
  const { t } = useTranslation('settings')
  return (
    <div className="change-list">
      <table aria-label={t('change')}>
        <tbody>
          {rows.map(({ name, from, to, isBypass }) => (
            <tr key={name} className={isBypass ? 'weakens' : undefined}>
              <th scope="row">
                {isBypass && <Mark kind="warning" />}
                {name}
                {isBypass && <small>{t('weakens')}</small>}
              </th>
              <td className="mute">{from}</td>
              <td aria-hidden="true">→</td>
              <td>
                <span className="hidden-visually">{t('becomes')}</span>
                <b>{to}</b>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <ul aria-label={t('targets')} tabIndex={targets.length > 4 ? 0 : undefined}>
        {targets.map(({ name, place }) => (
          <li key={[...place, name].join('\n')}>
            <bdi>{name}</bdi>
            <small className="mute">
              <Place names={place} />
            </small>
          </li>
        ))}
      </ul>
    </div>
  )
}
