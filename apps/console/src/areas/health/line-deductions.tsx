import type { HealthCheckLine } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useMayOpen } from '../../app/session/use-may.ts'
import { localised } from '../../ui/i18n.ts'
import { mendPath, signed } from './words.ts'

/** Every point that a line lost: what it is, what it should be, and where it is mended. */
export function LineDeductions({ line, houseId }: { line: HealthCheckLine; houseId: number }) {
  const { t } = useTranslation('healthCheck')
  const lost = line.Parts.filter(({ Deducted }) => Deducted > 0)
  const calm = line.Parts.filter(({ Deducted }) => Deducted === 0)
  const inList = (texts: readonly string[]) => texts.join(t('and'))
  return (
    <dl className="deductions">
      {lost.map(({ Category, Counted, Weight }) => (
        <div key={Category}>
          <dt>
            <b>{t(`categories.${Category}`)}</b> {t('ofWeight', { counted: signed(-Counted), weight: Weight })}
          </dt>
          <dd>
            <ul>
              {line.Items.filter((item) => item.Category === Category).map((item) => (
                <li key={item.Key}>
                  <b>{signed(-item.Deduct)}</b>
                  <span title={t('source', { source: localised(item.Source) })}>
                    {localised(item.Text)}
                    {item.New && <span className="new-mark">{t('isNew')}</span>}
                  </span>
                  <MendLink path={mendPath(item.Mend, houseId, line.LineID)} word={t(`mends.${item.Mend}`)} />
                </li>
              ))}
            </ul>
          </dd>
        </div>
      ))}
      <div>
        <dt>
          <b>{t('notLost')}</b>
        </dt>
        <dd className="mute">
          {line.Ceilings.length > 0 && <Ceiling line={line} />}
          <p>{inList(calm.map(({ Category, Weight }) => `${t(`categories.${Category}`)} 0 / ${Weight}`))}</p>
          {line.Gone.length > 0 && (
            <p>{t('gone', { list: inList(line.Gone.map(({ Text, Deduct }) => `${localised(Text)} +${Deduct}`)) })}</p>
          )}
          {line.Gaps.length > 0 && <p>{t('notExamined', { list: inList(line.Gaps.map(({ Text }) => localised(Text))) })}</p>}
        </dd>
      </div>
    </dl>
  )
}

/** Why a line is no better than 59, whatever its deductions are. */
export function Ceiling({ line }: { line: Pick<HealthCheckLine, 'Parts' | 'Ceilings'> }) {
  const { t } = useTranslation('healthCheck')
  const lost = line.Parts.reduce((sum, { Counted }) => sum + Counted, 0)
  const why = line.Ceilings.map((each) => t(`ceilings.${each}`)).join(t('and'))
  return <p>{t('ceiling', { lost, left: 100 - lost, why })}</p>
}

/** A page that is not theirs is named to whoever should ask for it. */
function MendLink({ path, word }: { path: string; word: string }) {
  const may = useMayOpen(path.split('?')[0] ?? path)
  return may ? (
    <Link className="text-link" to={path}>
      {word}
    </Link>
  ) : (
    <span className="mute">{word}</span>
  )
}
