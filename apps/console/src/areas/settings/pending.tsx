import type { LineSettings } from '@linewarden/contract'
import type { Family } from '@linewarden/equipment'
import { useTranslation } from 'react-i18next'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { localised as inWords } from '../../ui/i18n.ts'
import { Blocks } from './blocks.tsx'
import { withUnit } from './values.ts'

/** What is about to be sent: from what, to what. Nothing leaves while one of them is out of range. */
export function Pending({
  family,
  line,
  wanted,
  wrong,
  mayNot,
  onSend,
  onDiscard,
}: {
  family: Family
  line: LineSettings
  wanted: Readonly<Record<string, number>>
  wrong: readonly string[]
  mayNot: string | null
  onSend: () => void
  onDiscard: () => void
}) {
  const { t } = useTranslation(['settings', 'app'])
  const changed = family.settings.filter(({ key }) => wanted[key] !== undefined)
  const good = changed.length - wrong.length
  return (
    <section aria-label={t('willSend')}>
      <h3>
        {t('willSend')}
        {changed.length > 0 && (
          <small>
            {t('willSendCount', { count: good })}
            {wrong.length > 0 && ` · ${t('wrongCount', { count: wrong.length })}`}
          </small>
        )}
      </h3>
      {changed.length === 0 ? (
        <p className="mute">{t('nothingToSend')}</p>
      ) : (
        <table>
          <tbody>
            {changed.map((setting) => {
              const isWrong = wrong.includes(setting.key)
              const reported = line.Settings.find(({ Key }) => Key === setting.key)?.Reported ?? null
              const value = wanted[setting.key] ?? Number.NaN
              return (
                <tr key={setting.key} className={isWrong ? 'wrong' : undefined}>
                  <th scope="row">{inWords(setting.label)}</th>
                  <td className="mute">{withUnit(setting, reported)}</td>
                  <td>→</td>
                  <td>
                    <b>{Number.isNaN(value) ? '–' : withUnit(setting, value)}</b>
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
      {mayNot && <p className="mute">{mayNot}</p>}
      <Blocks lines={[line]} />
      {changed.length > 0 && (
        <p className="acts">
          <ReasonedButton
            className="btn primary"
            reason={
              mayNot ??
              (wrong.length > 0
                ? t('wrongFirst')
                : line.Unmet.length > 0
                  ? line.Unmet.map(({ What, Why }) => inWords(Why ?? What)).join(t('app:semicolon'))
                  : null)
            }
            onClick={onSend}
          >
            {wrong.length > 0 ? t('sendFirstMend', { count: wrong.length }) : t('send')}
          </ReasonedButton>
          <button type="button" className="btn quiet" onClick={onDiscard}>
            {t('discard')}
          </button>
        </p>
      )}
    </section>
  )
}
