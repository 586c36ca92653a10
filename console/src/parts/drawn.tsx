import { useEffect, useRef, useState } from 'react'

export interface DrawnProps {
  /** Base64. */
  readonly data: string
  readonly type: string
  readonly label: string
  /** Said where the browser cannot draw it. */
  readonly otherwise: string
}

/**
 * A picture that a source sent, drawn from its bytes: no address is loaded, and the page's policy needs to allow none
 * (T38). What the browser cannot decode, SVG included, is only named.
 */
export const Drawn = ({ data, type, label, otherwise }: DrawnProps) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    let isCurrent = true
    setFailed(false)
    const draw = async (): Promise<void> => {
      const bytes = Uint8Array.from(atob(data.replace(/\s/g, '')), (char) => char.charCodeAt(0))
      const picture = await createImageBitmap(new Blob([bytes], { type }))
      if (!isCurrent || !canvas.current) return
      const scale = Math.min(1, mostPixels / Math.max(picture.width, picture.height))
      canvas.current.width = Math.round(picture.width * scale)
      canvas.current.height = Math.round(picture.height * scale)
      canvas.current.getContext('2d')?.drawImage(picture, 0, 0, canvas.current.width, canvas.current.height)
      picture.close()
    }
    draw().catch(() => isCurrent && setFailed(true))
    return () => {
      isCurrent = false
    }
  }, [data, type])
  if (failed) return <p className="muted">{otherwise}</p>
  return <canvas ref={canvas} className="drawn" role="img" aria-label={label} />
}

const mostPixels = 2048
