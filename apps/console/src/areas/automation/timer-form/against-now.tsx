import type { LineAgainst, previewTimer, Reply } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { localised } from '../../../ui/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import './against-now.css'

type Preview = Reply<typeof previewTimer>

const shownLines = 8

/** What would keep lines from being operated if it were due at this moment, line by line. It is decided anew at each run. */
export function AgainstNow({ data: { Against, AgainstCounts }, lineCount }: { data: Preview; lineCount: number }) {
  const { t } = useTranslation(['timerForm', 'automation', 'app'])
  if (lineCount === 0) return null
  const counts = AgainstCounts.map(({ Action, Count }) =>
    t('againstCount', { action: t(`automation:actions.${Action}`), count: Count }),
  )
  const more = Against.length - shownLines
  const left = Math.max(...AgainstCounts.map(({ Count }) => Count), 0) > Against.length
  return (
    <section aria-label={t('ifNow')}>
      <h3>
        {t('ifNow')} <small>{counts.join(' · ')}</small>
      </h3>
      {Against.length === 0 ? (
        <p className="mute">{t('nothingAgainst')}</p>
      ) : (
        <>
          <ul className="against-now">
            {Against.slice(0, shownLines).map((each) => (
              <Item key={`${each.ControllerID}/${each.LineNo}`} line={each} />
            ))}
            {more > 0 && <li className="mute">{t(left ? 'moreAgainstAtLeast' : 'moreAgainst', { count: more })}</li>}
          </ul>
          <p className="mute">{t('decidedAnew')}</p>
        </>
      )}
    </section>
  )
}

function Item({ line: { LineName, Unmet } }: { line: LineAgainst }) {
  const { t } = useTranslation(['timerForm', 'automation', 'app'])
  return (
    <li>
      <Icon name="lock" />
      <span>
        <b>
          <bdi>{LineName}</bdi>
        </b>
        {Unmet.map(({ Key, Text, Actions }) => (
          <small key={`${Key} ${Text.en}`}>
            {t('againstWhat', {
              actions: Actions.map((action) => t(`automation:actions.${action}`)).join(t('automation:nameBetween')),
              why: Key === 'override' || Key === 'personTripped' ? t(`againstWords.${Key}`) : localised(Text),
            })}
          </small>
        ))}
      </span>
    </li>
  )
}

/** How many lines would not be operated if this action were due now. */
export function againstOf({ AgainstCounts }: Preview, action: Preview['Next'][number]['Action']): number {
  return AgainstCounts.reduce((sum, { Action, Count }) => sum + (action === 'run' || Action === action ? Count : 0), 0)
}
