import { useTranslation } from 'react-i18next'
import { Icon } from '../../ui/icon.tsx'
import type { Download } from '../net/download-course.ts'
import { isDownloading } from '../net/download-course.ts'
import { dismissDownload, useDownload } from '../net/downloads.ts'
import './download-strip.css'

/** What is being downloaded, how far it is, and a way to stop it; on every page, because it goes on when the page is left. */
export function DownloadStrip() {
  const current = useDownload((state) => state.current)
  return current && <DownloadCourse download={current} />
}

export function DownloadCourse({ download }: { download: Download }) {
  const { t } = useTranslation()
  const { name, rows, share, state } = download
  const going = isDownloading(download)
  const text = state === 'done' ? t('downloadDone', { name }) : going ? t('downloading', { name }) : t('downloadEnded', { name })
  return (
    <section className={`download ${state}`} aria-label={text}>
      <Icon name="download" />
      <div>
        <p role="status">{text}</p>
        <progress value={state === 'done' ? 1 : share} max={1} aria-label={text} />
        <span className="mute">
          {Math.round((state === 'done' ? 1 : share) * 100)}% · {t('downloadRows', { count: rows })}
        </span>
      </div>
      <button
        type="button"
        className="btn small"
        aria-label={going ? t('downloadCancel') : t('close')}
        onClick={() => void dismissDownload()}
      >
        <Icon name="close" />
      </button>
    </section>
  )
}
