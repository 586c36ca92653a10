import { useEffect, useState } from 'react'

/** This moment, looked at again so often: what is shown of the last hour moves on. */
export const useNow = (everyMs: number): number => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
