// What runs inside the page while it is measured; as text, since it travels there.

/** Remembers when the first figures of the overview stood there. */
export const rememberOverview = `
  new MutationObserver((_, observer) => {
    if (!document.querySelector('.figure')) return
    window.overviewAt = performance.now()
    observer.disconnect()
  }).observe(document, { childList: true, subtree: true })
`

export const paintTimes = `({
  paint: performance.getEntriesByType('paint').find(({ name }) => name === 'first-contentful-paint').startTime,
  overview: window.overviewAt,
})`

/** From now on notes each change of the number of calls, and how late the page's own timers are. */
export const watchFigures = `
  window.updates = [performance.now()]
  window.late = []
  const value = [...document.querySelectorAll('.figure')].find((each) => /^Calls/.test(each.textContent)).querySelector('.value')
  new MutationObserver(() => window.updates.push(performance.now())).observe(value, { characterData: true, childList: true, subtree: true })
  let expected = performance.now() + 20
  setInterval(() => {
    window.late.push(Math.max(0, performance.now() - expected))
    expected = performance.now() + 20
  }, 20)
`

export const readFigures = `({ updates: window.updates, late: window.late })`

/** Scrolls from the top to the bottom, 4,000 pixels a frame, and measures each frame. */
export const scrollThrough = `new Promise((resolve) => {
  const box = document.querySelector('.rows')
  const frames = []
  let last = performance.now()
  const step = (now) => {
    frames.push(now - last)
    last = now
    box.scrollTop += 4000
    if (box.scrollTop + box.clientHeight >= box.scrollHeight - 1) resolve(frames.slice(1))
    else requestAnimationFrame(step)
  }
  requestAnimationFrame(step)
})`
