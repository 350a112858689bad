import type { InspectionItem } from '@linewarden/contract'
import type { Priority } from '@linewarden/equipment'
import { priorities } from '@linewarden/equipment'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TextArea, TextField, Usual } from '../../../ui/fields.tsx'

/** So long after the last letter what is typed is stored: each storing is an answer of its own. */
const restMs = 700

/** Hands on what is typed once the hand rests, the field is left or the page goes away. */
function useTyped(value: string, onRest: (text: string) => void) {
  const [text, setText] = useState(value)
  const now = useRef({ text, stored: value, onRest })
  now.current.text = text
  now.current.onRest = onRest
  const store = useRef(() => {
    const { text: typed, stored, onRest: hand } = now.current
    if (typed === stored) return
    now.current.stored = typed
    hand(typed)
  }).current
  useEffect(() => {
    if (text === now.current.stored) return
    const timer = setTimeout(store, restMs)
    return () => clearTimeout(timer)
  }, [text, store])
  useEffect(() => {
    addEventListener('pagehide', store)
    return () => {
      removeEventListener('pagehide', store)
      store()
    }
  }, [store])
  return { text, setText, store }
}

export function NoteField({
  result,
  value,
  onNote,
}: {
  result: 'defect' | 'impossible'
  value: string
  onNote: (note: string) => void
}) {
  const { t } = useTranslation('phoneRounds')
  const { text, setText, store } = useTyped(value, onNote)
  const reasons = [t('cannot.running'), t('cannot.tagged'), t('cannot.noAccess'), t('cannot.lowLoad')]
  return (
    <div role="group" aria-label={t(result === 'defect' ? 'whatIsWrong' : 'whyNot')} onBlur={store}>
      {result === 'impossible' && <Usual answers={reasons} value={text} onChange={setText} />}
      <TextArea
        label={t(result === 'defect' ? 'whatIsWrong' : 'whyNot')}
        rows={2}
        maxLength={1_000}
        value={text}
        onChange={setText}
      />
    </div>
  )
}

export function FigureField({
  item,
  value,
  onValue,
}: {
  item: InspectionItem
  value: number | null
  onValue: (value: number) => void
}) {
  const { t } = useTranslation('phoneRounds')
  const read = (text: string): number => Number(text.trim().replace(',', '.'))
  const isWrong = (text: string): boolean => text.trim() !== '' && !Number.isFinite(read(text))
  const { text, setText, store } = useTyped(value === null ? '' : String(value), (typed) => {
    if (typed.trim() !== '' && !isWrong(typed)) onValue(read(typed))
  })
  return (
    <div role="group" aria-label={t('figure')} onBlur={store}>
      <TextField
        label={t('figure')}
        inputMode="decimal"
        maxLength={16}
        unit={item.Unit}
        value={text}
        onChange={setText}
        error={isWrong(text) ? t('figureWrong') : null}
      />
    </div>
  )
}

export function LevelField({ value, onChange }: { value: Priority; onChange: (level: Priority) => void }) {
  const { t } = useTranslation(['phoneRounds', 'inspection'])
  return (
    <div className="phone-four" role="group" aria-label={t('level')}>
      {priorities.map((each) => (
        <button type="button" key={each} aria-pressed={value === each} onClick={() => onChange(each)}>
          {t(`inspection:levels.${each}`)}
        </button>
      ))}
    </div>
  )
}
