import type { HistoryPoint } from '@linewarden/contract'
import { exportHistory } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { isDownloading } from '../../app/net/download-course.ts'
import { startDownload, useDownload } from '../../app/net/downloads.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { language } from '../../ui/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import type { TimeRange } from './address.ts'

type Format = 'csv' | 'xlsx'
type Content = 'shown' | 'raw'

/** The chosen points as a file: what is shown, or every reading. One download at a time. */
export function ExportButtons({ points, range, width }: { points: readonly HistoryPoint[]; range: TimeRange; width: number }) {
  const { t } = useTranslation(['history', 'app'])
  const busy = useDownload((state) => isDownloading(state.current))
  const [asked, setAsked] = useState<Format | null>(null)
  const start = (Format: Format, Content: Content) => {
    setAsked(null)
    const body = { Points: [...points], From: range.from, To: range.to, Format, Content, Width: width, Language: language() }
    void startDownload(() => api.call(exportHistory, { body }))
  }
  return (
    <>
      {(['csv', 'xlsx'] as const).map((format) => (
        <ReasonedButton
          key={format}
          className="btn"
          reason={points.length === 0 ? t('pickFirst') : busy ? t('app:loading') : null}
          aria-label={t('exportTitle', { format: nameOf(format) })}
          onClick={() => setAsked(format)}
        >
          <Icon name="download" />
          {nameOf(format)}
        </ReasonedButton>
      ))}
      {asked && <ExportDialog format={asked} onStart={(content) => start(asked, content)} onClose={() => setAsked(null)} />}
    </>
  )
}

const nameOf = (format: Format): string => (format === 'csv' ? 'CSV' : 'xlsx')

function ExportDialog(props: { format: Format; onStart: (content: Content) => void; onClose: () => void }) {
  const { format, onStart, onClose } = props
  const { t } = useTranslation(['history', 'app'])
  const [content, setContent] = useState<Content>('shown')
  const title = t('exportTitle', { format: nameOf(format) })
  const choices = [
    { content: 'shown', name: t('exportShown'), hint: t('exportShownHint') },
    { content: 'raw', name: t('exportRaw'), hint: t('exportRawHint') },
  ] as const
  return (
    <Dialog label={title} onClose={onClose}>
      <h2>{title}</h2>
      <div className="content export-choices" role="radiogroup" aria-label={title}>
        {choices.map((each) => (
          <label key={each.content}>
            <input type="radio" name="content" checked={content === each.content} onChange={() => setContent(each.content)} />
            <span>
              <b>{each.name}</b>
              <span className="mute">{each.hint}</span>
            </span>
          </label>
        ))}
      </div>
      <div className="foot">
        <button type="button" className="btn" onClick={onClose}>
          {t('app:cancel')}
        </button>
        <button type="button" className="btn primary" onClick={() => onStart(content)}>
          {t('app:export')}
        </button>
      </div>
    </Dialog>
  )
}
