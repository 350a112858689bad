import { commentEvent, maxPhotoBytes } from '@linewarden/contract'
import type { FormEvent } from 'react'
import { useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callWithToast } from '../../../app/net/call-with-toast.ts'
import { change } from '../../../app/net/change.ts'
import { Field, TextArea } from '../../../ui/fields.tsx'
import { FileButton } from '../../../ui/file-button.tsx'
import { smallJpeg } from '../../../ui/small-jpeg.ts'
import type { SentComment } from './sent-comment.ts'
import { toSend } from './sent-comment.ts'

interface Draft {
  /** How many were sent before it: each has a button for its file of its own. */
  readonly count: number
  readonly text: string
  readonly photo: File | null
}

const emptyDraft: Draft = { count: 0, text: '', photo: null }

/**
 * What somebody writes about an alarm, with a photo of what they found. One comment has one id, however often it is sent: an answer that is
 * lost makes no second one.
 */
export function CommentForm({ eventId }: { eventId: string }) {
  const { t } = useTranslation('alarmList')
  const [draft, setDraft] = useState(emptyDraft)
  const tried = useRef<SentComment | null>(null)
  const [problem, setProblem] = useState<'commentMissing' | 'photoUnreadable' | null>(null)
  const [busy, setBusy] = useState(false)
  const photoId = useId()
  const Text = draft.text.trim()
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    if (Text === '') return setProblem('commentMissing')
    setBusy(true)
    const comment = await toSend(tried.current, { text: Text, photo: draft.photo }, (photo) => smallJpeg(photo, maxPhotoBytes))
    const { id: CommentID, data: Data } = comment
    if (Data === '') {
      setProblem('photoUnreadable')
      setBusy(false)
      return
    }
    const Photo = Data === null ? {} : { Photo: { Type: 'image/jpeg' as const, Data } }
    tried.current = comment
    const sent = await callWithToast(change(commentEvent, { params: { EventID: eventId }, body: { CommentID, Text, ...Photo } }))
    setBusy(false)
    setProblem(null)
    if (sent) setDraft(({ count }) => ({ ...emptyDraft, count: count + 1 }))
  }
  return (
    <form className="comment-form" onSubmit={send} noValidate>
      <TextArea
        label={t('comment')}
        rows={2}
        maxLength={1_000}
        value={draft.text}
        onChange={(text) => setDraft((before) => ({ ...before, text }))}
        error={problem === 'commentMissing' && Text === '' ? t('commentMissing') : null}
      />
      <div className="with-photo">
        <Field id={photoId} label={t('photo')} error={problem === 'photoUnreadable' ? t('photoUnreadable') : null}>
          <FileButton
            key={draft.count}
            id={photoId}
            accept="image/*"
            capture="environment"
            wrong={problem === 'photoUnreadable'}
            describedBy={problem === 'photoUnreadable' ? `${photoId}-note` : undefined}
            onFile={(photo) => {
              setProblem(null)
              setDraft((before) => ({ ...before, photo }))
            }}
          />
        </Field>
        <button type="submit" className="btn small" aria-busy={busy}>
          {t('send')}
        </button>
      </div>
    </form>
  )
}
