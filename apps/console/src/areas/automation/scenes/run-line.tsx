import type { SceneItem, SceneRunEntry } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { StateWord } from '../../../plant/state-word.tsx'
import { LineTag } from '../../../plant/tag-mark.tsx'
import { span } from '../../../ui/format.ts'
import { localised } from '../../../ui/i18n.ts'
import { useNow } from '../../../ui/use-now.ts'
import { stateWord } from '../../control/command-words.ts'
import { outcomeOf, trackOf } from './scene-facts.ts'
import './scene-drawer.css'

type RunLine = SceneRunEntry['Lines'][number]
type Outcome = ReturnType<typeof outcomeOf>

/** One line of a run that is followed. `drawn`: the position that is reported, never the one that is meant. */
export function RunLineRow({ line, no, drawn }: { line: RunLine; no: number; drawn: SceneItem['Switch'] | undefined }) {
  return (
    <li className={outcomeOf(line)}>
      <span className="no">{no}</span>
      {drawn ? <StateWord condition={drawn} /> : <span />}
      <span className="name">
        <bdi>{line.LineName}</bdi> <LineTag lineId={line.LineID} />
      </span>
      <Track line={line} />
      <Result line={line} />
      {line.Refusal && line.State !== 'skipped' && line.State !== 'stopped' && (
        <p className="why">{localised(line.Refusal.Text)}</p>
      )}
    </li>
  )
}

function Track({ line }: { line: RunLine }) {
  const [first, second, third] = trackOf[outcomeOf(line)]
  return (
    <span className="track" aria-hidden="true">
      <i className={first} />
      <u className={second} />
      <i className={second} />
      <u className={third} />
      <i className={third} />
    </span>
  )
}

function Result({ line }: { line: RunLine }) {
  const { t } = useTranslation('scenes')
  const outcome = outcomeOf(line)
  return (
    <span className="result">
      <span>
        {t(`does.${line.Action}`)} <b>{t(`outcomes.${outcome}`)}</b>
      </span>
      <small>
        <Detail line={line} outcome={outcome} />
      </small>
    </span>
  )
}

function Detail({ line: { Command }, outcome }: { line: RunLine; outcome: Outcome }) {
  const { t } = useTranslation('scenes')
  if (outcome === 'refused' || outcome === 'missed' || outcome === 'already') return t('notSent')
  if (!Command) return null
  const { SentAt, VerifiedAt, RequestedAt } = Command
  if (outcome === 'verified' && VerifiedAt !== null) return span(VerifiedAt - (SentAt ?? RequestedAt))
  if (outcome === 'underWay') return <SentFor since={SentAt ?? RequestedAt} />
  return stateWord(Command)
}

/** Of a line that is under way alone: the others do not move with the clock. */
function SentFor({ since }: { since: number }) {
  const { t } = useTranslation('scenes')
  const now = useNow()
  return t('sentFor', { span: span(Math.max(0, now - since)) })
}
