import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from './icon.tsx'
import './file-button.css'

/** Chooses a file, in our words: the browser's own button speaks the browser's language. Escape or "cancel" leaves what was chosen. */
export function FileButton(props: {
  id?: string
  accept: string
  /** Straight from the camera, on a phone. */
  capture?: 'environment'
  disabled?: boolean
  wrong?: boolean
  describedBy?: string | undefined
  onFile: (file: File) => void
}) {
  const { t } = useTranslation()
  const { id, accept, capture, disabled, wrong, describedBy, onFile } = props
  const [name, setName] = useState<string | null>(null)
  return (
    <label className={disabled ? 'file-button disabled' : 'file-button'}>
      <span className="btn">
        <Icon name="page" />
        {t('chooseFile')}
      </span>
      <span className="name">{name ?? t('noFile')}</span>
      <input
        id={id}
        type="file"
        className="hidden-visually"
        accept={accept}
        capture={capture}
        disabled={disabled}
        aria-invalid={wrong ? true : undefined}
        aria-describedby={describedBy}
        onChange={(event) => {
          const file = event.target.files?.[0]
          if (!file) return
          setName(file.name)
          onFile(file)
        }}
      />
    </label>
  )
}
