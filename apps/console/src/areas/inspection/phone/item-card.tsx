import type { RoundPackage, RoundStop } from '@linewarden/contract'
import type { Priority } from '@linewarden/equipment'
import type { AnswerResult } from '@linewarden/rules/inspection'
import { answerResults } from '@linewarden/rules/inspection'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../../app/net/api.ts'
import { toast } from '../../../app/notify/toasts.tsx'
import type { KeptPhoto } from '../../../app/offline/kept.ts'
import { localised } from '../../../ui/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import { rangeText } from '../item-words.ts'
import type { Given } from './acts.ts'
import { answer as keepAnswer } from './acts.ts'
import { FigureField, LevelField, NoteField } from './item-fields.tsx'
import { PhotoField } from './photo-field.tsx'
import type { ItemNow } from './round-now.ts'
import { resultOfValue } from './round-now.ts'

interface CardProps {
  readonly no: number
  readonly roundId: string
  readonly stop: RoundStop
  readonly now: ItemNow
  readonly photoOn: RoundPackage['Round']['PhotoOn']
}

type Save = (given: Partial<Given>, photo?: KeptPhoto) => Promise<void>

/** Stores what is given of an answer; the person knows at once when it was not. */
function useSave({ roundId, stop, now }: CardProps): Save {
  const { t } = useTranslation('phoneRounds')
  return async (given, photo) => {
    const about = `${stop.Name} · ${localised(now.item.Text)}`
    try {
      await keepAnswer(roundId, stop.StopID, now, given, photo ? { ...photo, about } : null)
    } catch (error) {
      reportError(error)
      toast('error', t('notStored', { why: error instanceof DOMException ? error.name : messageOf(error) }))
    }
  }
}

/** One thing to look at. What is in order folds to one line; everything else stays open with what it needs. */
export function ItemCard(props: CardProps) {
  const { t } = useTranslation(['phoneRounds', 'inspection'])
  const [isOpened, setOpened] = useState(false)
  const save = useSave(props)
  const { no, now, photoOn } = props
  const { item, answer, state, why, lacks, others } = now
  const isOdd = state === 'refused' || state === 'conflict'
  const isFolded =
    !isOpened && !isOdd && others.length === 0 && lacks === null && (answer?.Result === 'ok' || answer?.Result === 'none')
  const name = `${no} ${localised(item.Text)}`
  const Result = answer?.Result ?? null
  const level = answer?.Level ?? 'medium'
  const choose = (to: AnswerResult) => {
    const isNothing = to === 'none' || to === 'impossible'
    void save({ Result: to, Level: to === 'defect' ? level : null, ...(isNothing && { Value: null, Choice: null }) })
    setOpened(to !== 'ok' && to !== 'none')
  }
  if (isFolded)
    return (
      <li>
        <button type="button" className="phone-folded" onClick={() => setOpened(true)}>
          <span>{name}</span>
          <span className="left">
            <Icon name="check" />
            {answer?.Value === null || answer?.Value === undefined ? '' : `${answer.Value} ${item.Unit} `}
            {t(`inspection:results.${answer?.Result ?? 'ok'}`)}
          </span>
        </button>
      </li>
    )
  return (
    <li className="phone-item">
      <b id={`item-${item.ItemID}`}>{name}</b>
      {rangeText(item) !== '' && <small className="mute">{t('inspection:asked', { range: rangeText(item) })}</small>}
      {Result !== 'none' && Result !== 'impossible' && <Asked now={now} level={level} save={save} />}
      <div className="phone-four" role="group" aria-labelledby={`item-${item.ItemID}`}>
        {answerResults.map((each) => (
          <button type="button" key={each} aria-pressed={Result === each} onClick={() => choose(each)}>
            {t(`inspection:results.${each}`)}
          </button>
        ))}
      </div>
      {Result === 'defect' && <LevelField value={level} onChange={(Level) => void save({ Level })} />}
      {(Result === 'defect' || Result === 'impossible') && (
        <NoteField result={Result} value={answer?.Note ?? ''} onNote={(Note) => void save({ Note })} />
      )}
      {Result !== 'none' &&
        (Result === 'defect' || item.Kind === 'photo' || photoOn === 'always' || (answer?.Photos.length ?? 0) > 0) && (
          <PhotoField hashes={answer?.Photos ?? []} isAsked={lacks === 'photo'} onPhoto={(photo) => save({}, photo)} />
        )}
      {lacks !== null && lacks !== 'answer' && <small className="phone-lacks">{t(`lacksOne.${lacks}`)}</small>}
      {others.map(({ AnswerID, Person, Result: otherResult, Note }) => (
        <p key={AnswerID} className="phone-note warning">
          {t('otherAnswer', { person: Person, result: t(`inspection:results.${otherResult}`) })}
          {Note !== '' && ` · ${Note}`}
        </p>
      ))}
      {isOdd && why && (
        <p className="phone-note warning" role="alert">
          {localised(why)}
        </p>
      )}
    </li>
  )
}

/** What an item asks for itself: a figure, or one of several choices. */
function Asked({ now: { item, answer }, level, save }: { now: ItemNow; level: Priority; save: Save }) {
  const give = (result: AnswerResult, given: Partial<Given>) =>
    void save({ ...given, Result: result, Level: result === 'defect' ? level : null })
  if (item.Kind === 'number')
    return (
      <FigureField item={item} value={answer?.Value ?? null} onValue={(Value) => give(resultOfValue(item, Value), { Value })} />
    )
  if (item.Kind !== 'choice') return null
  return (
    <div className="phone-choices" role="group" aria-labelledby={`item-${item.ItemID}`}>
      {item.Choices.map(({ Choice, Text, Ok }) => (
        <button
          type="button"
          key={Choice}
          aria-pressed={answer?.Choice === Choice}
          onClick={() => give(Ok ? 'ok' : 'defect', { Choice })}
        >
          {localised(Text)}
        </button>
      ))}
    </div>
  )
}
