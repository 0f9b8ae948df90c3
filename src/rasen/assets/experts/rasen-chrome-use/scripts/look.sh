#!/bin/sh
# Looks at one page with a Chrome or Chromium that is installed, without a window and without leaving anything behind.
# usage: look.sh --find | look.sh <address> (--picture <file> | --text) [--width <pixels>] [--height <pixels>]
# Exit status: 0 done, 1 the browser could not, 2 wrong use, 3 no browser.
set -u

find_browser() {
  if [ -n "${CHROME:-}" ] && command -v "$CHROME" >/dev/null 2>&1; then
    command -v "$CHROME"
    return 0
  fi
  for name in chromium chromium-browser google-chrome google-chrome-stable chrome microsoft-edge; do
    command -v "$name" 2>/dev/null && return 0
  done
  for place in "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" "/Applications/Chromium.app/Contents/MacOS/Chromium"; do
    [ -x "$place" ] && { echo "$place"; return 0; }
  done
  return 1
}

usage() {
  echo "usage: look.sh --find | look.sh <address> (--picture <file> | --text) [--width <n>] [--height <n>]" >&2
  exit 2
}

[ "$#" -ge 1 ] || usage
browser=$(find_browser) || { echo "no Chrome or Chromium found; set CHROME to its program" >&2; exit 3; }
if [ "$1" = --find ]; then
  echo "$browser"
  exit 0
fi

address=$1
shift
case "$address" in
  http://* | https://* | file://*) ;;
  *) echo "the address has to begin with http://, https:// or file://" >&2; exit 2 ;;
esac
picture=
text=
width=1280
height=800
while [ "$#" -gt 0 ]; do
  case "$1" in
    --text) text=1; shift ;;
    --picture | --width | --height)
      [ "$#" -ge 2 ] || usage
      case "$1" in
        --picture) picture=$2 ;;
        --width) width=$2 ;;
        --height) height=$2 ;;
      esac
      shift 2
      ;;
    *) usage ;;
  esac
done
case "$width$height" in *[!0-9]*) usage ;; esac
[ -n "$picture$text" ] || usage

profile=$(mktemp -d) || exit 1
child=
leave() {
  [ -z "$child" ] || { kill "$child" 2>/dev/null; wait "$child" 2>/dev/null; }
  rm -rf "$profile"
}
trap leave EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

set -- --headless --disable-gpu --no-first-run --disable-sync --disable-extensions --disable-background-networking \
  --disable-component-update --hide-scrollbars "--user-data-dir=$profile/profile" "--window-size=$width,$height" \
  --virtual-time-budget=5000
[ "$(id -u)" != 0 ] || set -- "$@" --no-sandbox
if [ -n "$picture" ]; then
  case "$picture" in /*) ;; *) picture=$PWD/$picture ;; esac
  set -- "$@" "--screenshot=$picture"
else
  set -- "$@" --dump-dom
fi

"$browser" "$@" "$address" >"$profile/out" 2>"$profile/err" &
child=$!
waited=0
while kill -0 "$child" 2>/dev/null; do
  if [ "$waited" -ge 60 ]; then
    kill "$child" 2>/dev/null
    sleep 1
    kill -9 "$child" 2>/dev/null
    echo "the page was not ready after 30 seconds" >&2
    exit 1
  fi
  sleep 0.5
  waited=$((waited + 1))
done
wait "$child"
status=$?
child=
if [ "$status" -ne 0 ]; then
  tail -n 5 "$profile/err" >&2
  exit 1
fi
if [ -n "$picture" ]; then
  [ -s "$picture" ] || { echo "no picture was made" >&2; exit 1; }
  echo "$picture"
else
  cat "$profile/out"
fi
